/** A message of the API, and the texts that describe it. */

import type { Outputs } from '../../server/contract/api.ts';
import { mailto } from '../../server/contract/mailto.ts';
import { dateAndTime } from '../../server/contract/times.ts';
import { site } from '../../site.config.ts';

export type InboxData = Outputs['contact']['messages'];
export type Message = InboxData['messages'][number];
export type Folder = InboxData['folder'];

export const folders = ['inbox', 'archive', 'spam'] as const satisfies readonly Folder[];

/** What the optional fields of the form hold: all that a message has beside these. */
export function optionalTextsOf(message: Message): string[] {
  const {
    id,
    receivedAt,
    name,
    email,
    message: _,
    folder,
    isRead,
    suspicions,
    delivery,
    ...others
  } = message;
  return Object.values(others);
}

/** The start of a sender's name, for a sentence. */
export const shortNameOf = ({ name }: Pick<Message, 'name'>) => startOf(name, 100);

const startOf = (text: string, length: number) =>
  [...text.slice(0, 2 * length)].slice(0, length).join('');

/** Number of characters quoted in a reply: mail programs reject much longer mailto links. */
const quotedLength = 1200;

/** A mailto link that opens a reply with the message quoted. */
export function replyAddress({ name, email, receivedAt, message }: Message): string {
  const start = startOf(message, quotedLength);
  const quote = (start.length < message.length ? `${start} …` : message)
    .split(/\r\n|\r|\n/)
    .map((line) => `> ${line}`);
  const head = `On ${dateAndTime(receivedAt)}, ${shortNameOf({ name })} wrote:`;
  const body = ['', '', head, ...quote].join('\r\n');
  const subject = `Re: your message to ${site.brand.name}`;
  return mailto(email, { subject, body });
}

/** The delivery state of the notification email, in a sentence. */
export function deliveryOf({ delivery, folder }: Message, isMailed: boolean): string {
  if (!delivery) {
    if (!isMailed) return 'Not sent: no mail server is configured';
    return folder === 'spam' ? 'Not sent yet: spam is reported once a day' : 'Not sent';
  }
  if (delivery.state === 'sent') return `Sent ${dateAndTime(delivery.at)}`;
  const cause = delivery.advice ?? delivery.error;
  const reason = cause ? `: ${cause}` : '';
  if (delivery.state === 'refused') return `Rejected by your mail server${reason}`;
  if (delivery.attempts === 0) return 'Waiting to be sent';
  return `Waiting, next attempt ${dateAndTime(delivery.dueAt)}${reason}`;
}

/** The mail server's own sentence, where `deliveryOf` says what to do instead. */
export const serverSaysOf = ({ delivery }: Message): string | undefined =>
  delivery && 'advice' in delivery ? delivery.error : undefined;

/** A short label when the notification email needs the owner's attention. */
export function deliveryProblemOf({ delivery }: Message): string | undefined {
  if (delivery?.state === 'refused') return 'Email failed';
  return delivery?.state === 'waiting' && delivery.attempts > 0 ? 'Email delayed' : undefined;
}

/** Why a message was marked as spam, by the API's word. */
const reasons: Record<NonNullable<Message['suspicions']>[number], string> = {
  trap: 'a hidden field was filled in',
  links: 'it contains many links',
  words: 'it reads like an advertisement',
  sender: 'the sender’s name or address looks made up',
  speed: 'it was sent faster than a person types',
  rate: 'many came from the same network',
};

/** The signs of spam in a sentence; undefined when there are none. */
export const suspicionOf = ({ suspicions }: Message): string | undefined =>
  suspicions?.length
    ? `Signs of spam: ${suspicions.map((one) => reasons[one]).join(', and ')}.`
    : undefined;
