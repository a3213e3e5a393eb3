import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import type { OutboxEmail } from '../../email/email.ts';
import { toText } from '../../email/text.ts';
import { createLog } from '../../log.ts';
import { addBooking, newBooking } from '../../testing/booking.ts';
import { engines, freshStores } from '../../testing/engines.ts';
import { readCalendars } from './calendars.ts';

const minute = 60_000;
const hour = 60 * minute;
const day = 24 * hour;
// A Monday.
const monday = Date.UTC(2026, 10, 23, 9);
const log = createLog('silent', { pretty: false });

const calendar = (...events: string[]) =>
  ['BEGIN:VCALENDAR', 'VERSION:2.0', 'PRODID:test', ...events, 'END:VCALENDAR', ''].join('\r\n');

const event = (uid: string, start: string, end: string) =>
  [
    'BEGIN:VEVENT',
    `UID:${uid}`,
    'DTSTAMP:20261101T000000Z',
    `DTSTART:${start}`,
    `DTEND:${end}`,
    'SUMMARY:A secret appointment',
    'END:VEVENT',
  ].join('\r\n');

const appointment = event('1', '20261124T100000Z', '20261124T110000Z');

describe.each(engines)('calendars on $name', (engine) => {
  const { stores, openBeside } = freshStores(engine);
  let server: Server;
  let address: string;
  let respond: { status: number; body: string; etag?: string };
  let requests: (string | undefined)[];
  let beforeResponse: () => Promise<void>;
  let now: number;
  let emails: string[];

  beforeEach(async () => {
    now = monday;
    requests = [];
    emails = [];
    respond = { status: 200, body: calendar(appointment), etag: '"1"' };
    beforeResponse = async () => {};
    server = createServer(async (req, res) => {
      requests.push(req.headers['if-none-match']);
      await beforeResponse();
      const { status, body, etag } = respond;
      const isUnchanged = etag !== undefined && req.headers['if-none-match'] === etag;
      res
        .writeHead(isUnchanged ? 304 : status, { ...(etag && { etag }) })
        .end(isUnchanged ? '' : body);
    });
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    address = `http://127.0.0.1:${(server.address() as AddressInfo).port}/secret.ics`;
  });
  afterEach(() => new Promise((resolve) => server.close(resolve)));

  const optionsFor = (addresses: string[], on = stores) => ({
    store: on.busy,
    addresses,
    timeZone: 'Europe/London',
    sendEmail: async ({ id, blocks }: OutboxEmail) => void emails.push(`${id} ${toText(blocks)}`),
    // `stop` is how a test waits for what is read.
    stopTimeoutMs: minute,
    now: () => now,
    log,
  });

  /** Reads the calendars that are due, once. */
  async function readOnce(addresses = [address], on = stores): Promise<string | undefined> {
    const reader = readCalendars(optionsFor(addresses, on));
    await reader.stop();
    return reader.alert();
  }

  const busy = () => stores.bookings.busy({ from: now, to: now + 7 * day });
  const ten = Date.UTC(2026, 10, 24, 10);

  it('calendar makes its times busy and stores nothing else about them', async () => {
    expect(await readOnce()).toBeUndefined();
    expect(await busy()).toEqual([{ from: ten, to: ten + hour }]);
    expect(JSON.stringify(await stores.busy.states())).not.toMatch(/secret|127\.0/);
  });

  it('health of a calendar counts the busy times of seven days, and says why it cannot be read', async () => {
    const health = async () => {
      const reader = readCalendars(optionsFor([address]));
      await reader.stop();
      return Object.values(await reader.health());
    };
    expect(await health()).toEqual([{ checkedAt: now, problem: undefined, busyTimes: 1 }]);
    const readAt = now;
    respond = { status: 404, body: '' };
    now += 6 * minute;
    await health();
    now += 6 * minute;
    expect(await health()).toEqual([
      {
        checkedAt: readAt,
        problem: expect.stringMatching(/^Your calendar at 127\.0\.0\.1 cannot be read\./),
        busyTimes: 1,
      },
    ]);
    now += 8 * day;
    expect(await health()).toMatchObject([{ busyTimes: 0 }]);
  });

  it('a calendar that is removed while it is read keeps no busy times', async () => {
    beforeResponse = () => stores.busy.keepOnly([]);
    await readOnce();
    expect(requests).toHaveLength(1);
    expect(await busy()).toEqual([]);
  });

  it('no time is free until a calendar was read for the first time', async () => {
    respond = { status: 503, body: '' };
    const alert = await readOnce();
    expect(alert).toMatch(/^Your calendar at 127\.0\.0\.1 cannot be read\. .* was never read, so/);
    expect(alert).not.toContain('secret.ics');
    const [all] = await busy();
    expect((all?.from ?? 0) < 0 && (all?.to ?? 0) > now + 10_000 * day).toBe(true);
    now += 6 * minute;
    respond = { status: 200, body: calendar(appointment) };
    expect(await readOnce()).toBeUndefined();
    expect(await busy()).toHaveLength(1);
  });

  it('calendar that fails for a day keeps its busy times and raises an alert', async () => {
    await readOnce();
    respond = { status: 500, body: 'Oh' };
    now += 6 * minute;
    expect(await readOnce()).toBeUndefined();
    now += minute;
    expect(await readOnce()).toContain('its busy times stay as they were');
    expect(emails).toEqual([]);
    for (let n = 0; n < 3; n++) {
      now += day;
      await readOnce();
    }
    // One email for the whole failure; the outbox keeps each id once.
    expect(new Set(emails).size).toBe(1);
    expect(emails[0]).toMatch(/^calendar-.* Your calendar at 127\.0\.0\.1 cannot be read\./);
    now = monday;
    expect(await busy()).toEqual([{ from: ten, to: ten + hour }]);
  });

  it('broken and empty files change nothing, and a calendar without events frees its times', async () => {
    await readOnce();
    for (const body of ['<html>Sign in</html>', '', calendar(appointment).slice(0, 120)]) {
      respond = { status: 200, body };
      now += 6 * minute;
      await readOnce();
      expect(await busy(), body).toHaveLength(1);
    }
    respond = { status: 200, body: calendar() };
    now += 6 * minute;
    await readOnce();
    expect(await busy()).toEqual([]);
  });

  it('unchanged calendar is not sent again, except once a day', async () => {
    await readOnce();
    now += 6 * minute;
    await readOnce();
    now += day;
    await readOnce();
    expect(requests).toEqual([undefined, '"1"', undefined]);
    expect(await busy()).toHaveLength(1);
  });

  it('calendar is read every three minutes, by one of several instances', async () => {
    const other = await openBeside();
    await Promise.all([readOnce(), readOnce([address], other)]);
    expect(requests).toHaveLength(1);
    now += 2 * minute;
    await readOnce();
    expect(requests).toHaveLength(1);
    now += minute;
    await readOnce([address], other);
    expect(requests).toHaveLength(2);
    await other.close();
  });

  it('calendar that fails is an alert within five minutes, and none a minute after it is back', async () => {
    await readOnce();
    respond = { status: 503, body: '' };
    const alertAt: number[] = [];
    for (let n = 1; n <= 5; n++) {
      now += minute;
      if (await readOnce()) alertAt.push(n);
    }
    expect(alertAt).toEqual([4, 5]);
    respond = { status: 200, body: calendar(appointment) };
    now += minute;
    expect(await readOnce()).toBeUndefined();
  });

  it('busy times are up to date since the calendar was last read or unchanged, the oldest of all', async () => {
    const upToDateAt = async (addresses: string[]) => {
      const reader = readCalendars(optionsFor(addresses));
      await reader.stop();
      return reader.upToDateAt();
    };
    expect(await upToDateAt([])).toBeUndefined();
    respond.status = 503;
    expect(await upToDateAt([address])).toBeNull();
    respond.status = 200;
    now += 6 * minute;
    expect(await upToDateAt([address])).toBe(now);
    now += 6 * minute;
    expect(await upToDateAt([address])).toBe(now);
    expect(requests.at(-1)).toBe('"1"');
    const good = now;
    respond = { status: 500, body: '' };
    now += 6 * minute;
    const before = await upToDateAt([address]);
    expect(before).toBeLessThan(good);
    respond = { status: 200, body: calendar() };
    expect(await upToDateAt([address, `${address}?other`])).toBe(before);
  });

  it('calendar that the owner removes no longer counts', async () => {
    await readOnce();
    await readOnce([]);
    expect(await busy()).toEqual([]);
    expect(await stores.busy.states()).toEqual([]);
  });

  it('a calendar that hangs delays no stop, after which no other one is read', async () => {
    let respondNow = () => {};
    const isHeld = new Promise<void>((resolve) => {
      respondNow = resolve;
    });
    beforeResponse = () => isHeld;
    const options = { ...optionsFor([address, `${address}?other`]), stopTimeoutMs: 1 };
    const reader = readCalendars(options);
    await vi.waitFor(() => expect(requests).toHaveLength(1), 10_000);
    await reader.stop();
    respondNow();
    await vi.waitFor(async () => expect(await busy()).toHaveLength(1), 10_000);
    await new Promise((resolve) => setTimeout(resolve, 50));
    expect(requests).toHaveLength(1);
  });

  it('bookings of this site in a calendar are not read back, and never changed by it', async () => {
    const booking = newBooking({ start: ten });
    await addBooking(stores.bookings, booking);
    respond.body = calendar(event(`booking-${booking.id}`, '20261125T100000Z', '20261125T103000Z'));
    await readOnce();
    expect(await busy()).toEqual([{ from: ten, to: ten + 30 * minute, gapMs: 0 }]);
    respond = { status: 200, body: calendar() };
    now += 6 * minute;
    await readOnce();
    expect(await stores.bookings.find(booking.id)).toEqual(booking);
  });

  it('database error is logged, and the calendar is read later', async () => {
    const error = vi.spyOn(log, 'error').mockImplementation(() => {});
    const broken = { ...stores.busy, keepOnly: () => Promise.reject(new Error('down')) };
    const reader = readCalendars({ ...optionsFor([address]), store: broken });
    await reader.stop();
    expect(error).toHaveBeenCalledOnce();
    expect(requests).toEqual([]);
    error.mockRestore();
  });
});
