import type { DeliveryResult } from '../email/smtp.ts';
import type { LaunchCheck } from '../launch-check/check.ts';

/** The services of the procedures `settings.*`. */
export interface SettingsServices {
  launchCheck: LaunchCheck;
  /** The owner's mail server; undefined when none is set. */
  mailServer: MailServer | undefined;
  /**
   * The backups in the data folder, newest first, whether the site makes one each night, and in words what keeps
   * it from making one for a download.
   */
  backups: () => {
    isNightly: boolean;
    files: { file: string; bytes: number; at: number }[];
    problem: string | undefined;
  };
}

export interface MailServer {
  host: string;
  /** The addresses that emails to the owner go to. */
  recipients: readonly string[];
  /** Sends a test email to them at once, past the outbox. Never rejects. */
  sendTest(): Promise<DeliveryResult>;
}
