/** Made-up booked calls, at free times of the owner's hours. */
import { randomUUID } from 'node:crypto';
import type { Calls } from '../../booking/calls.ts';
import type { Booking } from '../../booking/rows.ts';
import { createSchedule } from '../../booking/schedule.ts';
import { dayMs, hourMs } from '../../time/units.ts';

/** How long before now the first call was, and how far calls are apart among the free times. */
const pastMs = 28 * dayMs;
const pastEvery = 17;
const thisWeekEvery = 7;
const laterEvery = 23;

/** One of so many calls is cancelled. */
const cancelledEvery = 5;

const visitors: Pick<Booking, 'name' | 'timeZone' | 'source' | 'note'>[] = [
  {
    name: 'Priya Natarajan',
    timeZone: 'America/New_York',
    source: 'newsletter/email/case-study',
    note: 'Onboarding takes me six emails per client.',
  },
  { name: 'Tom Okafor', timeZone: 'Europe/Berlin', source: 'podcast', note: null },
  {
    name: 'Mateo Silva',
    timeZone: 'Europe/Lisbon',
    source: 'linkedin',
    note: 'Nine tools, and none talks to another.',
  },
  { name: 'Lena Brandt', timeZone: 'Europe/Vienna', source: null, note: null },
  {
    name: 'Aisha Bello',
    timeZone: 'Africa/Lagos',
    source: 'instagram',
    note: 'My welcome email goes out twice.',
  },
];

/** Calls of the last four weeks and of the next ones; some were cancelled before their time. */
export function demoBookings(calls: Calls, now: number): Booking[] {
  const schedule = createSchedule(calls);
  const { lengthMs, gapMs } = schedule.rules('strategy-call');
  const every = (times: readonly number[], n: number) => times.filter((_, i) => i % n === n >> 1);
  const past = schedule
    .free('strategy-call', [], now - pastMs - hourMs)
    .filter((start) => start + lengthMs < now);
  const upcoming = schedule.free('strategy-call', [], now);
  const isThisWeek = (start: number) => start < now + 7 * dayMs;
  const starts = [
    ...every(past, pastEvery),
    ...every(upcoming.filter(isThisWeek), thisWeekEvery),
    ...every(
      upcoming.filter((start) => !isThisWeek(start)),
      laterEvery,
    ),
  ];
  return starts.flatMap((start, i) => {
    const visitor = visitors[i % visitors.length];
    if (!visitor) return [];
    const createdAt = Math.min(start - 3 * dayMs, now - hourMs);
    const isCancelled = i % cancelledEvery === cancelledEvery >> 1;
    const cancelledAt = Math.min(start - dayMs, now - hourMs / 2);
    return {
      ...visitor,
      email: `${visitor.name.toLowerCase().replace(' ', '.')}@example.com`,
      id: randomUUID(),
      call: 'strategy-call',
      start,
      end: start + lengthMs,
      gapMs,
      state: isCancelled ? 'cancelled' : 'booked',
      sequence: isCancelled ? 1 : 0,
      createdAt,
      changedAt: isCancelled ? cancelledAt : createdAt,
      answers: i % 2 ? {} : { [calls.strategyCall.questions[0] ?? '']: 'Cohort courses.' },
      ownerNote: null,
      button: 'hero',
    };
  });
}
