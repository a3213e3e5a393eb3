/**
 * Reads the owner's other calendars in the background, every three minutes, so that visitors cannot book a
 * time at which the owner is busy. A calendar that cannot be read keeps its busy times; one that was never
 * read leaves no time free. Only spans are stored, never what they are for.
 */
import { setTimeout as sleep } from 'node:timers/promises';
import type { OutboxEmail } from '../../email/email.ts';
import type { Log } from '../../log.ts';
import type { OutboundOptions } from '../../outbound/request.ts';
import { addressId } from '../../text/address-id.ts';
import { dayMs, minuteMs } from '../../time/units.ts';
import { CalendarError } from './errors.ts';
import { type FetchedCalendar, type FetchOptions, fetchCalendar } from './fetch-calendar.ts';
import { filterCalendar } from './filter.ts';
import { busySpans } from './spans.ts';
import type { BusyStore, CalendarState, ClaimedCalendar } from './store.ts';

/** How often a calendar is read, and how often one that could not be, in ms. Each check is a minute after the last. */
const readEvery = 3 * minuteMs;
const retryEvery = minuteMs;
const checkEvery = minuteMs;

/** How long `stop` waits by default, in ms. */
const defaultStopTimeoutMs = 1500;

/** How long a calendar must fail before the dashboard says so, with the second try, and before an email does, in ms. */
const alertAfter = retryEvery;
const emailAfter = dayMs;

/** How far ahead busy times are read, in ms. `site.config.ts` allows no later call. */
const aheadMs = 190 * dayMs;

/** After this time a calendar is read even if it has not changed, since repeated events go on. */
const rereadAfter = dayMs;

/** How well a calendar is read. */
export interface CalendarHealth {
  /** Until when its busy times are known, in ms since 1970; undefined before it was read once. */
  checkedAt: number | undefined;
  problem: string | undefined;
  /** Those of the next seven days; undefined before it was read once. */
  busyTimes: number | undefined;
}

export interface CalendarOptions {
  store: BusyStore;
  /** The secret addresses. */
  addresses: readonly string[];
  /** How to reach addresses that must not lead into a local network; undefined: they may lead to this machine. */
  outbound?: OutboundOptions | undefined;
  /** Time zone of the owner. */
  timeZone: string;
  /** Queues an email to the owner; undefined without a mail server. */
  sendEmail: ((email: OutboxEmail) => Promise<unknown>) | undefined;
  /** How long `stop` waits, in ms. */
  stopTimeoutMs?: number;
  /** Milliseconds since 1970, UTC. */
  now: () => number;
  log: Log;
}

/** Starts reading. Returns the alert for the dashboard, and the function that stops it. */
export function readCalendars(options: CalendarOptions) {
  const { store, addresses, stopTimeoutMs = defaultStopTimeoutMs, log, now } = options;
  let isPrepared = false;
  let isStopped = false;
  const run = async () => {
    if (!isPrepared) await store.keepOnly(addresses.map(addressId));
    isPrepared = true;
    if (addresses.length === 0) return;
    for (const address of addresses) {
      if (isStopped) return;
      await readIfDue(options, address);
    }
    await warn(options);
  };
  let running: Promise<void> | undefined;
  const tick = () => {
    running ??= run()
      .catch((error: unknown) => {
        // The database may be closed by then.
        if (isStopped) return;
        log.error({ error }, 'calendars: could not update busy times; will retry');
      })
      .finally(() => {
        running = undefined;
      });
  };
  tick();
  const timer = setInterval(tick, checkEvery);
  timer.unref();
  return {
    /** What the owner should know; undefined when every calendar is read. */
    alert: () => calendarAlert(store, addresses, now()),
    /**
     * Since when the busy times are known to be up to date, in ms since 1970: for several calendars the
     * oldest time. Null before each was read once; undefined without calendars.
     */
    upToDateAt: async () => upToDateAt(await store.states()),
    /** How well each calendar is read, and its busy times in the next seven days, by its `addressId`. */
    async health(): Promise<Record<string, CalendarHealth>> {
      const at = now();
      const counts = await store.counts({ from: at, to: at + 7 * dayMs });
      const entries = addresses.flatMap((address) => {
        const state = counts.find(({ id }) => id === addressId(address));
        if (!state) return [];
        const { id, busyTimes } = state;
        const checkedAt = readUpTo(state) ?? undefined;
        const problem = problemOf(address, state, at);
        return [[id, { checkedAt, problem, busyTimes: checkedAt && busyTimes }] as const];
      });
      return Object.fromEntries(entries);
    },
    /** Stops. Waits for what is being read, but a calendar that hangs must not delay the next start. */
    async stop() {
      clearInterval(timer);
      await Promise.race([running, sleep(stopTimeoutMs, undefined, { ref: false })]);
      isStopped = true;
    },
  };
}

/** Until when the busy times of a calendar are known, in ms since 1970; null before it was read once. */
const readUpTo = ({ readAt, triedAt, error }: CalendarState): number | null =>
  error === null && readAt ? triedAt : readAt;

function upToDateAt(states: readonly CalendarState[]): number | null | undefined {
  if (states.length === 0) return undefined;
  const times = states.map(readUpTo);
  return times.includes(null) ? null : Math.min(...times.map(Number));
}

/** Reads a calendar unless it was tried lately, also by another instance. */
async function readIfDue(options: CalendarOptions, address: string): Promise<void> {
  const { store, now, log } = options;
  const id = addressId(address);
  const times = { now: now(), before: now() - readEvery, failedBefore: now() - retryEvery };
  const claimed = await store.claim(id, times);
  if (!claimed) return;
  try {
    const fetched = await fetchCalendar(address, {
      ...options.outbound,
      ...validatorsOf(claimed, now()),
    });
    if (fetched.isUnchanged) await store.unchanged(id);
    else await replace(options, id, fetched);
  } catch (error) {
    if (!(error instanceof CalendarError))
      log.error({ error }, 'calendars: could not read a calendar; will retry');
    const reason = error instanceof CalendarError ? error.message : 'It could not be read.';
    await store.failed(id, { error: reason, now: now() });
  }
}

/** What makes the response empty while the calendar is unchanged and its window not yet a day old. */
const validatorsOf = (
  { etag, lastModified, readAt }: ClaimedCalendar,
  now: number,
): FetchOptions =>
  readAt !== null && now - readAt < rereadAfter
    ? { etag: etag ?? undefined, lastModified: lastModified ?? undefined }
    : {};

async function replace(
  { store, timeZone, now }: CalendarOptions,
  id: string,
  { body, etag, lastModified }: Extract<FetchedCalendar, { isUnchanged: false }>,
): Promise<void> {
  const window = { from: now() - dayMs, to: now() + aheadMs };
  const text = await filterCalendar(body, window);
  const spans = await busySpans(text, { ...window, timeZone, isOwn });
  await store.replace(id, { spans, etag, lastModified, now: now() });
}

/** Bookings of this site that the owner's calendar holds are not read back: the rows here decide. */
const isOwn = (uid: string) => /^booking-[\da-f-]{36}$/.test(uid);

const hostOf = (address: string) =>
  URL.canParse(address) ? new URL(address).hostname : 'an address';

/** The alert about those of the calendars at `addresses` that cannot be read; undefined when there are none. */
export async function calendarAlert(
  store: Pick<BusyStore, 'states'>,
  addresses: readonly string[],
  now: number,
): Promise<string | undefined> {
  const states = await store.states();
  const sentences = addresses.flatMap((address) => {
    const state = states.find(({ id }) => id === addressId(address));
    return (state && problemOf(address, state, now)) ?? [];
  });
  return sentences.join(' ') || undefined;
}

function problemOf(address: string, state: CalendarState, now: number): string | undefined {
  if (!state.error || state.failingSince === null) return undefined;
  if (state.readAt !== null && now - state.failingSince < alertAfter) return undefined;
  return sentenceOf(address, state);
}

function sentenceOf(address: string, { readAt, error }: CalendarState): string {
  const effect =
    readAt === null
      ? 'It was never read, so visitors see no free times'
      : `It was last read at ${new Date(readAt).toISOString().slice(0, 16).replace('T', ' ')} UTC, and its busy times stay as they were`;
  return `Your calendar at ${hostOf(address)} cannot be read. ${error} ${effect}.`;
}

/** Sends one email about each calendar that has failed for a day. */
async function warn({ store, addresses, sendEmail, now }: CalendarOptions): Promise<void> {
  if (!sendEmail) return;
  for (const state of await store.states()) {
    const address = addresses.find((one) => addressId(one) === state.id);
    if (address === undefined || state.failingSince === null) continue;
    if (now() - state.failingSince < emailAfter) continue;
    await sendEmail(failingEmail(address, state));
  }
}

/** The email about a calendar that has failed for a day. */
export const failingEmail = (address: string, state: CalendarState): OutboxEmail => ({
  id: `calendar-${state.id}-${state.failingSince}`,
  subject: 'A calendar of yours cannot be read',
  blocks: [{ kind: 'text', text: sentenceOf(address, state) }],
});
