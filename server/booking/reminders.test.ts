import { expect, it, vi } from 'vitest';
import { createLog } from '../log.ts';
import { addBooking, newBooking } from '../testing/booking.ts';
import { freshStores } from '../testing/engines.ts';
import { site } from '../testing/sample-config.ts';
import { remind } from './reminders.ts';

const day = 24 * 60 * 60_000;
const now = Date.UTC(2026, 2, 2, 9);
const { stores } = freshStores();

it('reminders are queued once, on the day before the call', async () => {
  const wake = vi.fn();
  const options = {
    bookings: stores.bookings,
    key: async () => Buffer.from('a key'),
    emails: {
      owner: { name: 'Rowan Hale', address: 'rowan@studio.example' },
      replyTo: { name: 'Rowan Hale', address: 'rowan@studio.example' },
      words: site,
      callOf: () => ({ title: 'Strategy call', place: 'Video call' }),
      timeZone: 'Europe/London',
      origin: undefined,
    },
    outboxWorker: { wake },
    log: createLog('silent', { pretty: false }),
  };
  await addBooking(stores.bookings, newBooking({ start: now + 3 * day, createdAt: now }));
  await remind({ ...options, now: () => now + day });
  expect(wake).not.toHaveBeenCalled();
  for (let n = 0; n < 3; n++) await remind({ ...options, now: () => now + 2 * day + n });
  expect(wake).toHaveBeenCalledTimes(1);
  expect(await stores.mail.state()).toMatchObject({ waiting: 1 });
});
