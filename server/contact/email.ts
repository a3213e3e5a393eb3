import { html, type OutboxEmail, page } from '../email/email.ts';
import { inLine } from '../text/printable.ts';
import type { ContactMessage } from './store.ts';

/** What the owner gets of a message: an answer to it goes to the visitor. */
export function emailOf({ id, name, email, company, message }: ContactMessage): OutboxEmail {
  const who = senderOf({ name, company });
  return {
    id: `contact-${id}`,
    replyTo: { name: cut(name, 120), address: email },
    subject: `Message from ${who}`,
    text: `${message}\n\n-- \n${who}\n${email}\nSent with the form on your site. Answer this e-mail to answer them.`,
    html: page(
      html`<p style="white-space:pre-wrap;overflow-wrap:anywhere">${message}</p><hr><p>${who}<br><a href="mailto:${encodeURIComponent(email)}">${email}</a></p><p><small>Sent with the form on your site. Answer this e-mail to answer them.</small></p>`,
    ),
  };
}

/** Name and company in one line. */
export const senderOf = ({ name, company }: Pick<ContactMessage, 'name' | 'company'>) =>
  cut(company ? `${name}, ${company}` : name, 120);

/** Who wrote, and how the message begins, in one line. */
export const lineOf = ({ name, email, message }: ContactMessage) =>
  `${shortened(name, 60)} <${shortened(email, 80)}>: ${shortened(message, 120)}`;

const cut = (text: string, length: number) => [...inLine(text)].slice(0, length).join('');

const shortened = (text: string, length: number) =>
  [...inLine(text)].length > length ? `${cut(text, length)} …` : inLine(text);
