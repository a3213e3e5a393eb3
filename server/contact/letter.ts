import { html, type NamedLetter, page } from '../mail/letter.ts';
import { inLine } from '../printable-text.ts';
import type { ContactMessage } from './store.ts';

/** What the owner gets of a message: an answer to it goes to the visitor. */
export function letterOf({ id, name, email, company, message }: ContactMessage): NamedLetter {
  const who = oneLine(company ? `${name}, ${company}` : name);
  return {
    id: `contact-${id}`,
    replyTo: { name: oneLine(name), address: email },
    subject: `Message from ${who}`,
    text: `${message}\n\n-- \n${who}\n${email}\nSent with the form on your site. Answer this e-mail to answer them.`,
    html: page(
      html`<p style="white-space:pre-wrap;overflow-wrap:anywhere">${message}</p><hr><p>${who}<br><a href="mailto:${encodeURIComponent(email)}">${email}</a></p><p><small>Sent with the form on your site. Answer this e-mail to answer them.</small></p>`,
    ),
  };
}

/** A name as it fits into a header. */
const oneLine = (text: string) => [...inLine(text)].slice(0, 120).join('');
