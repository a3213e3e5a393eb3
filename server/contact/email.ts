import { html, type OutboxEmail, page } from '../email/email.ts';
import { inLine } from '../text/printable.ts';
import type { ContactMessage } from './store.ts';

/** Returns the email about a message to the owner. A reply to it goes to the visitor. */
export function emailOf({ id, name, email, company, message }: ContactMessage): OutboxEmail {
  const sender = senderOf({ name, company });
  return {
    id: `contact-${id}`,
    replyTo: { name: truncate(name, 120), address: email },
    subject: `Message from ${sender}`,
    text: `${message}\n\n-- \n${sender}\n${email}\nSent with the form on your site. Answer this e-mail to answer them.`,
    html: page(
      html`<p style="white-space:pre-wrap;overflow-wrap:anywhere">${message}</p><hr><p>${sender}<br><a href="mailto:${encodeURIComponent(email)}">${email}</a></p><p><small>Sent with the form on your site. Answer this e-mail to answer them.</small></p>`,
    ),
  };
}

/** Returns name and company in one line of at most 120 characters. */
export const senderOf = ({ name, company }: Pick<ContactMessage, 'name' | 'company'>) =>
  truncate(company ? `${name}, ${company}` : name, 120);

/** Returns the sender and the start of the message in one line. */
export const lineOf = ({ name, email, message }: ContactMessage) =>
  `${abbreviate(name, 60)} <${abbreviate(email, 80)}>: ${abbreviate(message, 120)}`;

const truncate = (text: string, length: number) => [...inLine(text)].slice(0, length).join('');

const abbreviate = (text: string, length: number) =>
  [...inLine(text)].length > length ? `${truncate(text, length)} …` : inLine(text);
