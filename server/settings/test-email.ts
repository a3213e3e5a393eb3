import { randomUUID } from 'node:crypto';
import type { ClaimedEmail } from '../email/store.ts';

/** The email by which the owner tests the mail server. */
export const testEmail = (now: number): ClaimedEmail => ({
  id: `settings-test-${randomUUID()}`,
  queuedAt: now,
  deferrals: 0,
  refusals: 0,
  subject: 'Test: emails of your site reach you',
  blocks: [
    { kind: 'title', text: 'This test email has arrived.' },
    {
      kind: 'text',
      text: 'You sent it from the settings of your site. Messages, bookings and alerts reach you in the same way.',
    },
  ],
});
