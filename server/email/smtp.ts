/** Sends emails through the owner's SMTP server. */
import type { Socket } from 'node:net';
import { codeOf } from '../errors.ts';
import { type OutboundOptions, openSocket } from '../outbound/request.ts';
import { emailAddress } from '../text/email-address.ts';
import { isLoopback } from '../text/loopback.ts';
import { inHeader, inLine } from '../text/printable.ts';
import { type Brand, toHtml } from './html.ts';
import { adviceOn, isLimit, isMendable } from './smtp-errors.ts';
import type { ClaimedEmail } from './store.ts';
import { toText } from './text.ts';

/**
 * Result of one delivery attempt:
 * - `sent`: the server accepted the email.
 * - `partial`: the server accepted it for some recipients; `remaining` are the others.
 * - `postponed`: the server rejected it for now (4xx).
 * - `refused`: the server rejected it permanently (5xx); `isFinal` when a retry is of no use.
 * - `unreachable`: the server did not respond to the email, for example after a failed login.
 *
 * `error` is the server's own sentence, in one printable line. It may quote the visitor, so only the owner may see it. `code` contains no personal data.
 */
export type DeliveryResult =
  | { status: 'sent' }
  | ({ status: 'partial'; remaining: string[] } & DeliveryError)
  | ({ status: 'postponed' | 'unreachable' } & DeliveryError)
  | ({ status: 'refused'; isFinal?: boolean } & DeliveryError);

interface DeliveryError {
  error: string;
  /** What a person can do about it; undefined where the error must speak for itself. */
  advice?: string | undefined;
  code: string;
}

/** Sends an email once. Never rejects. */
export type Deliver = (email: ClaimedEmail) => Promise<DeliveryResult>;

export interface SmtpOptions {
  /** `smtp://user:password@host:587` or `smtps://…`. */
  url: string;
  /** Address of the sender; undefined: the login where it is an address, or else the first of `to`. */
  from?: string | undefined;
  /** Addresses of the owner. */
  to: readonly string[];
  /** Address of the site, by whose host it greets the mail server. */
  origin?: string | undefined;
  /** Its name is the display name of the sender. */
  brand: Brand;
  /** Timeout for connecting, for the greeting and for inactivity, each in ms. */
  timeoutMs?: number;
  /** How to reach a server whose address must not lead into a local network; undefined: it may. */
  outbound?: OutboundOptions | undefined;
}

/** Creates the function that sends an email over SMTP: to the owner, or to the visitor it names. */
export function createSmtp(options: SmtpOptions): Deliver {
  const { url, to, brand, origin, outbound, timeoutMs = 20_000 } = options;
  const address = senderAddress(options);
  const domain = address.slice(address.lastIndexOf('@') + 1);
  const transport = lazyTransport({
    ...{ url, timeoutMs, outbound },
    name: hostOf(origin) ?? domain,
  });

  return async (email) => {
    const { id, queuedAt, replyTo, subject, blocks, calendar, remaining } = email;
    try {
      const { rejected, rejectedErrors } = await (await transport()).sendMail({
        from: printable({ name: brand.name, address }),
        to: remaining ?? (email.to ? [printable(email.to)] : [...to]),
        // Text from visitors must not hide or reorder what the owner reads.
        ...(replyTo && { replyTo: printable(replyTo) }),
        subject: inHeader(subject),
        text: toText(blocks),
        html: toHtml(email, brand),
        ...(calendar?.method && { icalEvent: { ...calendar, filename: 'invite.ics' } }),
        ...(calendar && !calendar.method && { attachments: [attachmentOf(calendar.content)] }),
        date: new Date(queuedAt),
        messageId: `<${id}@${domain}>`,
        disableFileAccess: true,
        disableUrlAccess: true,
      });
      if (rejected.length === 0) return { status: 'sent' };
      const [error] = rejectedErrors ?? [];
      return { status: 'partial', remaining: rejected.map(addressOf), ...describe(error) };
    } catch (error) {
      const failure = describe(error);
      const isFinal = email.to !== undefined && !isMendable(failure.error);
      return { status: failureOf(error), ...(isFinal && { isFinal }), ...failure };
    }
  };
}

/** The address that all emails are sent from. */
export function senderAddress({ url, from, to }: Pick<SmtpOptions, 'url' | 'from' | 'to'>): string {
  if (from !== undefined) return from;
  const login = loginOf(url);
  return emailAddress.test(login) ? login : (to[0] ?? login);
}

/** The user in the address of a mail server; empty without one. */
export const loginOf = (url: string) => decodeURIComponent(new URL(url).username);

/** The host of the site's address; undefined for an IP address or a local name, which mail servers reject. */
function hostOf(origin: string | undefined): string | undefined {
  const host = origin && new URL(origin).hostname;
  return host && /\.[a-z][^.]*$/i.test(host) ? host : undefined;
}

interface Mailbox {
  name: string;
  address: string;
}

const printable = ({ name, address }: Mailbox): Mailbox => ({ name: inHeader(name), address });

const attachmentOf = (content: string) => ({
  filename: 'call.ics',
  content,
  contentType: 'text/calendar; charset=utf-8',
});

const addressOf = (recipient: string | { address: string }) =>
  typeof recipient === 'string' ? recipient : recipient.address;

/** Loads nodemailer with the first email, so that a site without a mail server never loads it. */
function lazyTransport({
  url,
  name,
  timeoutMs,
  outbound,
}: Pick<SmtpOptions, 'url' | 'outbound'> & {
  /** The name in EHLO. */
  name: string;
  timeoutMs: number;
}) {
  const { protocol, hostname, port, username, password, searchParams } = new URL(url);
  const isLocal = isLoopback(url);
  const security = searchParams.get('security');
  const secure = protocol === 'smtps:';
  const host = hostname.replace(/^\[|\]$/g, '');
  const create = async () => {
    const { createTransport } = await import('nodemailer');
    // Not by `url`, from whose query nodemailer would read any of its options.
    return createTransport({
      host,
      ...(port && { port: Number(port) }),
      name,
      secure,
      ...(username && {
        auth: { user: decodeURIComponent(username), pass: decodeURIComponent(password) },
      }),
      // TLS protects the password on the network. A server on this machine needs no encryption and
      // usually has a self-signed certificate.
      requireTLS: !isLocal && security !== 'none' && security !== 'offered',
      ignoreTLS: isLocal || security === 'none',
      tls: { rejectUnauthorized: searchParams.get('tls.rejectUnauthorized') !== 'false' },
      connectionTimeout: timeoutMs,
      // Shorter than that of inactivity, so that a missing greeting is reported as one.
      greetingTimeout: 0.9 * timeoutMs,
      socketTimeout: timeoutMs,
      ...(outbound && {
        getSocket: (_: unknown, callback: SocketCallback) =>
          void openSocket({ host, port: Number(port), timeoutMs }, outbound).then(
            (connection) => callback(null, { connection }),
            callback,
          ),
      }),
    });
  };
  let transport: ReturnType<typeof create> | undefined;
  return () => {
    transport ??= create();
    return transport;
  };
}

type SocketCallback = (error: Error | null, socket?: { connection: Socket }) => void;

/** Only a response to the envelope or the message counts as the server's decision on the email. */
function failureOf(error: unknown): 'postponed' | 'refused' | 'unreachable' {
  const { responseCode = 0 } = error as { responseCode?: number };
  if (!/^(EENVELOPE|EMESSAGE)$/.test(codeOf(error) ?? '')) return 'unreachable';
  return responseCode >= 500 && !isLimit(messageOf(error)) ? 'refused' : 'postponed';
}

function describe(cause: unknown): DeliveryError {
  const error = messageOf(cause);
  return { error, advice: adviceOn(error), code: statusOf(cause) };
}

/** Nodemailer's error code and the SMTP status codes, such as `EMESSAGE 550 5.7.1`. */
function statusOf(error: unknown): string {
  const { response = '' } = (error ?? {}) as { response?: string };
  const [status] = /^\d{3}(?:[ -]\d\.\d{1,3}\.\d{1,3}\b)?/.exec(response) ?? [];
  const code = codeOf(error) ?? (error instanceof Error ? error.name : 'Error');
  return [code, status?.replace('-', ' ')].filter(Boolean).join(' ');
}

function messageOf(error: unknown): string {
  const message = error instanceof Error ? error.message : String(error);
  const [line = ''] = message.split('\n', 1);
  return [codeOf(error), inLine(line).slice(0, 300)].filter(Boolean).join(': ');
}
