/** For tests: messages of the contact form. */
import type { ContactMessage } from '../contact/message.ts';
import { emptyFields } from '../contract/contact-fields.ts';

/** A message with these changes. */
export const sampleMessage = (change: Partial<ContactMessage> = {}): ContactMessage => ({
  ...emptyFields,
  id: 'a',
  receivedAt: 0,
  name: 'Ada',
  email: 'ada@example.com',
  message: 'Hello',
  ...change,
});
