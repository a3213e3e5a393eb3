/** Made-up messages of the contact form: in the inbox, the archive and the spam folder. */
import { randomUUID } from 'node:crypto';
import type { ContactMessage, Folder, SpamSign } from '../../contact/message.ts';
import { emptyFields, type FormFields } from '../../contract/contact-fields.ts';
import { hourMs } from '../../time/units.ts';

interface DemoMessage extends ContactMessage {
  folder: Folder;
  isRead: boolean;
  suspicions: SpamSign[];
}

const written: (Pick<DemoMessage, 'name' | 'message'> &
  Partial<FormFields> & {
    hoursAgo: number;
    folder?: 'archive' | 'spam';
    suspicions?: SpamSign[];
  })[] = [
  {
    name: 'Noor Haddad',
    company: 'Haddad Studio',
    hoursAgo: 3,
    message:
      'Hi! I run two cohort courses a year, and every launch I copy people by hand from the checkout into my newsletter tool. Could the call help with that, or is it too small a job?',
  },
  {
    name: 'Priya Natarajan',
    hoursAgo: 29,
    message:
      'I booked a call and would like to send you my list of tools first. What is the best way?',
  },
  {
    name: 'Mateo Silva',
    company: 'Silva & Daughters',
    hoursAgo: 77,
    message:
      'We bought the audit last week. It said that our welcome email lands in the promotions tab. We changed the sender as you wrote, and it is in the inbox now. Thank you!',
  },
  {
    name: 'Lena Brandt',
    hoursAgo: 190,
    folder: 'archive',
    message: 'Do you also work with podcasts? I have about 300 paying members and four tools.',
  },
  {
    name: 'Tom Okafor',
    company: 'Okafor Coaching',
    hoursAgo: 400,
    folder: 'archive',
    message:
      'Could you send me an invoice for the audit, with my VAT number on it? I forgot to add it.',
  },
  {
    name: 'Rank Boosters',
    company: 'Rank Boosters',
    hoursAgo: 51,
    folder: 'spam',
    suspicions: ['links', 'words'],
    message:
      'Get on page 1 of Google in 7 days, guaranteed! SEO backlinks from $49: https://rank.example https://links.example https://offer.example',
  },
  {
    name: 'Crypto Desk',
    hoursAgo: 260,
    folder: 'spam',
    suspicions: ['trap', 'words'],
    message: 'Double your bitcoin today. Reply to claim your bonus.',
  },
];

/** Messages up to `now`. The newest one is unread. */
export const demoMessages = (now: number): DemoMessage[] =>
  written.map(({ hoursAgo, folder = 'inbox' as const, suspicions = [], ...message }, i) => ({
    ...emptyFields,
    ...message,
    id: randomUUID(),
    email: `${message.name.toLowerCase().replace(' ', '.')}@example.com`,
    receivedAt: now - hoursAgo * hourMs,
    folder,
    isRead: i > 0,
    suspicions,
  }));
