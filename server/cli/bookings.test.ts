import { afterEach, beforeEach, expect, it } from 'vitest';
import { addBooking, newBooking } from '../testing/booking.ts';
import { createOwner, now, type TestOwner } from '../testing/cli-io.ts';

const day = 24 * 60 * 60_000;

let owner: TestOwner;
beforeEach(async () => {
  owner = await createOwner();
  await owner.inside(async ({ bookings }) => {
    const first = newBooking({ start: now + day, note: 'Nine tools\nnone talks' });
    const answers = { 'What do you sell?': 'Courses' };
    await addBooking(bookings, first);
    await addBooking(bookings, newBooking({ start: now + 2 * day, name: 'Mateo', source: null }));
    await addBooking(bookings, newBooking({ start: now - day, name: 'Lena', answers }));
    await bookings.note(first.id, 'Ask about Kajabi');
  });
});
afterEach(() => owner.remove());

it('bookings prints upcoming calls in order, with their notes', async () => {
  expect(await owner.admin(['bookings'])).toEqual({
    code: 0,
    err: '',
    out:
      'Sunday, November 22, 2:30–3:00 AM, London (GMT)\n' +
      'Tom Okafor <tom@brightcourse.example>, strategy-call, from newsletter, not emailed\n' +
      '    Nine tools\n    none talks\n    Ask about Kajabi\n\n' +
      'Monday, November 23, 2:30–3:00 AM, London (GMT)\n' +
      'Mateo <tom@brightcourse.example>, strategy-call, from Direct, not emailed\n\n' +
      'Calls: 2 upcoming, 1 past, 0 cancelled.\n',
  });
});

it('bookings prints past calls with their answers, and JSON for programs', async () => {
  const { out } = await owner.admin(['bookings', '--state', 'past']);
  expect(out).toContain('Lena <');
  expect(out).toContain('    What do you sell?\n    Courses\n');
  const json = await owner.admin(['bookings', '--json', '--limit', '1']);
  expect(JSON.parse(json.out)).toMatchObject([
    { start: '2026-11-22T02:30:00.000Z', name: 'Tom Okafor', ownerNote: 'Ask about Kajabi' },
  ]);
});

it('bookings refuses an unknown state', async () => {
  expect(await owner.admin(['bookings', '--state', 'open'])).toMatchObject({
    code: 1,
    err: '--state must be upcoming, past or cancelled.\n',
  });
});
