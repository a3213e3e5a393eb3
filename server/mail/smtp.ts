/** Speaks to the owner's mail server. */
import { codeOf } from '../error-code.ts';
import type { ClaimedLetter } from './store.ts';

/** What became of a letter. An `error` is for the owner's eyes. */
type Outcome = { is: 'sent' } | { is: 'postponed' | 'refused'; error: string };

export type Deliver = (letter: ClaimedLetter) => Promise<Outcome>;

export interface SmtpOptions {
  /** `smtp://user:password@host:587` or `smtps://…`. */
  url: string;
  /** Who gets the letters: the owner. */
  to: readonly string[];
  /** In whose name they come. */
  name: string;
  /** Milliseconds that connecting, greeting and silence may each take. */
  timeout?: number;
}

export function createSmtp({ url, to, name, timeout = 20_000 }: SmtpOptions): Deliver {
  const { hostname, username } = new URL(url);
  const account = decodeURIComponent(username);
  // Mail servers let an account write in its own name only.
  const address = account.includes('@') ? account : (to[0] ?? account);
  const domain = address.slice(address.lastIndexOf('@') + 1);
  const transport = connect({ url, hostname, timeout });

  return async ({ id, queuedAt, replyTo, subject, text, html }) => {
    try {
      await (await transport()).sendMail({
        from: { name, address },
        to: [...to],
        ...(replyTo && { replyTo }),
        subject,
        text,
        html,
        date: new Date(queuedAt),
        messageId: `<${id}@${domain}>`,
        disableFileAccess: true,
        disableUrlAccess: true,
      });
      return { is: 'sent' };
    } catch (error) {
      return { is: isFinal(error) ? 'refused' : 'postponed', error: sentenceOf(error) };
    }
  };
}

/** Loads the library when the first letter is sent: who has no mail server does without it. */
function connect({ url, hostname, timeout }: { url: string; hostname: string; timeout: number }) {
  const make = async () => {
    const { createTransport } = await import('nodemailer');
    return createTransport({
      url,
      // A password never travels in the clear, but to a server on this machine.
      requireTLS: !/^(localhost|127\.\d+\.\d+\.\d+|\[::1\])$/.test(hostname),
      connectionTimeout: timeout,
      greetingTimeout: timeout,
      socketTimeout: timeout,
    });
  };
  let made: ReturnType<typeof make> | undefined;
  return () => {
    made ??= make();
    return made;
  };
}

/** A 5xx to the envelope or the letter itself will be the same tomorrow; a wrong password may not. */
function isFinal(error: unknown): boolean {
  const { responseCode } = error as { responseCode?: number };
  const isOfLetter = /^(EENVELOPE|EMESSAGE)$/.test(codeOf(error) ?? '');
  return isOfLetter && responseCode !== undefined && responseCode >= 500;
}

function sentenceOf(error: unknown): string {
  const message = error instanceof Error ? error.message : String(error);
  const [line = ''] = message.split('\n', 1);
  return [codeOf(error), line.slice(0, 300)].filter(Boolean).join(': ');
}
