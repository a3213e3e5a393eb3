/** A message as the wire brings it, and what is said of it. */

import type { Outputs } from '../../server/contract/api.ts';
import { site } from '../../site.config.ts';
import { dateAndTime } from '../admin/format.ts';

export type InboxData = Outputs['contact']['messages'];
export type Message = InboxData['messages'][number];
export type Folder = InboxData['folder'];

export const folders = ['inbox', 'archive', 'spam'] as const satisfies readonly Folder[];

/** What is quoted of a message: programs refuse addresses that are much longer. */
const quotedLength = 1200;

/** The address that opens an answer in the owner's own mail program, with the message quoted in it. */
export function replyAddress({ name, email, receivedAt, message }: Message): string {
  const letters = [...message];
  const cut = letters.length > quotedLength ? ' …' : '';
  const quote = (letters.slice(0, quotedLength).join('') + cut)
    .split(/\r\n|\r|\n/)
    .map((line) => `> ${line}`);
  const body = ['', '', `On ${dateAndTime(receivedAt)}, ${name} wrote:`, ...quote].join('\r\n');
  const subject = `Re: your message to ${site.brand.name}`;
  const to = encodeURIComponent(email).replace('%40', '@');
  return `mailto:${to}?subject=${encodeURIComponent(subject)}&body=${encodeURIComponent(body)}`;
}

/** What became of the letter that tells of it, in a sentence. */
export function deliveryOf({ delivery, folder }: Message, isMailed: boolean): string {
  if (!delivery) {
    if (!isMailed) return 'Not mailed: there is no mail server';
    return folder === 'spam' ? 'Not mailed yet: spam is told of once a day' : 'Not mailed';
  }
  const reason = 'error' in delivery && delivery.error ? `: ${delivery.error}` : '';
  if (delivery.state === 'sent') return `Mailed to you ${dateAndTime(delivery.at)}`;
  if (delivery.state === 'refused') return `Your mail server refuses it${reason}`;
  if (delivery.attempts === 0) return 'Waiting to be mailed';
  return `Waiting, next try ${dateAndTime(delivery.dueAt)}${reason}`;
}

/** In a word, and only what the owner must look at. */
export function faultOf({ delivery }: Message): string | undefined {
  if (delivery?.state === 'refused') return 'Not mailed';
  return delivery?.state === 'waiting' && delivery.attempts > 0 ? 'Mail waits' : undefined;
}

const reasons: Record<NonNullable<Message['suspicions']>[number], string> = {
  trap: 'a field was filled in that nobody sees',
  links: 'it holds many links',
  words: 'it reads like an advertisement',
  sender: 'the sender’s name or address looks made up',
  speed: 'it was sent faster than anybody types',
  rate: 'many came from the same place',
};

/** The signs of spam that were found, in a sentence; undefined when there are none. */
export const suspicionOf = ({ suspicions }: Message): string | undefined =>
  suspicions && `Signs of spam: ${suspicions.map((one) => reasons[one]).join(', and ')}.`;
