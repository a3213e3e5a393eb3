/** Speaks to the owner's mail server. */
import { codeOf } from '../error-code.ts';
import { inLine, inLines } from '../text/printable.ts';
import type { ClaimedEmail } from './store.ts';

/**
 * What became of a letter: the server took it, took it for some of its readers, does not take it now,
 * says that it never will, or did not get so far as to be asked. An `error` is for the owner's eyes: it
 * may quote the visitor. A `code` quotes nobody.
 */
export type Outcome =
  | { is: 'sent' }
  | ({ is: 'partly'; remaining: string[] } & Reason)
  | ({ is: 'postponed' | 'refused' | 'unreachable' } & Reason);

interface Reason {
  error: string;
  code: string;
}

export type Deliver = (letter: ClaimedEmail) => Promise<Outcome>;

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

  return async ({ id, queuedAt, replyTo, subject, text, html, remaining, isDry }) => {
    try {
      if (isDry) {
        await (await transport()).verify();
        return { is: 'sent' };
      }
      const { rejected, rejectedErrors } = await (await transport()).sendMail({
        from: { name, address },
        to: remaining ?? [...to],
        // What strangers wrote must not hide or reorder what the owner reads.
        ...(replyTo && { replyTo: { ...replyTo, name: inLine(replyTo.name) } }),
        subject: inLine(subject),
        text: inLines(text),
        html: inLines(html),
        date: new Date(queuedAt),
        messageId: `<${id}@${domain}>`,
        disableFileAccess: true,
        disableUrlAccess: true,
      });
      if (rejected.length === 0) return { is: 'sent' };
      const [error] = rejectedErrors ?? [];
      return { is: 'partly', remaining: rejected.map(addressOf), ...reasonOf(error) };
    } catch (error) {
      return { is: natureOf(error), ...reasonOf(error) };
    }
  };
}

const addressOf = (one: string | { address: string }) =>
  typeof one === 'string' ? one : one.address;

/** Loads the library when the first letter is sent: who has no mail server does without it. */
function connect({ url, hostname, timeout }: { url: string; hostname: string; timeout: number }) {
  const isHere = /^(localhost|127\.\d+\.\d+\.\d+|\[::1\])$/.test(hostname);
  const make = async () => {
    const { createTransport } = await import('nodemailer');
    return createTransport({
      url,
      // A password never travels in the clear. A server on this machine needs no encryption, and
      // mostly has a certificate that nobody vouches for.
      requireTLS: !isHere,
      ignoreTLS: isHere,
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

/** A 5xx to the envelope or the letter is a refusal; without an answer to these it was never asked. */
function natureOf(error: unknown): 'postponed' | 'refused' | 'unreachable' {
  const { responseCode = 0 } = error as { responseCode?: number };
  if (!/^(EENVELOPE|EMESSAGE)$/.test(codeOf(error) ?? '')) return 'unreachable';
  return responseCode >= 500 ? 'refused' : 'postponed';
}

const reasonOf = (error: unknown): Reason => ({ error: sentenceOf(error), code: numbersOf(error) });

/** The library's word and the server's numbers, such as EMESSAGE 550 5.7.1. */
function numbersOf(error: unknown): string {
  const { response = '' } = (error ?? {}) as { response?: string };
  const [numbers] = /^\d{3}(?:[ -]\d\.\d{1,3}\.\d{1,3}\b)?/.exec(response) ?? [];
  const word = codeOf(error) ?? (error instanceof Error ? error.name : 'Error');
  return [word, numbers?.replace('-', ' ')].filter(Boolean).join(' ');
}

function sentenceOf(error: unknown): string {
  const message = error instanceof Error ? error.message : String(error);
  const [line = ''] = message.split('\n', 1);
  return [codeOf(error), line.slice(0, 300)].filter(Boolean).join(': ');
}
