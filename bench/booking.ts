/**
 * P17: bytes and CPU of the booking page, the latency of a booking beside that of a message, and how long
 * the owner's other calendars block the server.
 */
import { brotliCompressSync } from 'node:zlib';
import { busySpans } from '../server/booking/busy/spans.ts';
import { costPerRequest, median, type Row } from './measure.ts';
import { signIn } from './owner.ts';
import { type BenchServer, startShingle } from './processes.ts';
import { browser, rawRequest } from './requests.ts';

const page = '/book/strategy-call';
const blockedTimes = 200;
/** The limit of an hour. */
const bookings = 10;

export async function bookingRows(): Promise<Row[]> {
  const server = await startShingle();
  try {
    await blockTimes(server);
    const { html, compressed } = await pageOf(server);
    const script = /<script>(.*?)<\/script>/s.exec(html)?.[1] ?? '';
    const request = () => rawRequest('GET', page, ['Accept-Encoding: br']);
    const [cost] = await costPerRequest([{ server, request }], { connections: 4 });
    const { booking, message } = await latencies(server);
    return [
      row(
        'HTML + CSS of the booking page in its dialog, brotli',
        kB(compressed),
        'exact',
        '≤ 6 kB',
      ),
      row('its script, brotli', kB(brotliCompressSync(script).length), 'exact', '≤ 1 kB'),
      row(
        `CPU for 28 days with ${blockedTimes} busy spans`,
        ms((cost?.cpu ?? 0) / 1000),
        'one run',
        '≤ 20 ms',
      ),
      {
        ...row('a booking, median', ms(booking), `a message: ${ms(message)}`, '≤ 1.5×'),
        ratio: `${(booking / message).toFixed(2)}×`,
      },
      row(
        'longest block of the event loop by a calendar of absurd rules',
        ms(await longestBlock(absurdCalendar)),
        'one slice: 10 ms',
        '≤ 50 ms',
      ),
    ];
  } finally {
    await server.stop();
  }
}

/** Rules that a calendar program never writes, each of which takes a long search. */
const absurdCalendar = [
  'BEGIN:VCALENDAR',
  ...[
    'FREQ=WEEKLY;INTERVAL=1000000',
    'FREQ=MONTHLY;BYDAY=4WE;BYSETPOS=2',
    'FREQ=HOURLY;BYMONTH=2;BYMONTHDAY=30',
    'FREQ=MINUTELY;INTERVAL=7;BYMONTH=4;BYMONTHDAY=30',
    'FREQ=YEARLY;BYYEARDAY=-366;INTERVAL=3',
  ].flatMap((rule, n) => [
    'BEGIN:VEVENT',
    `UID:${n}`,
    'DTSTART:20260302T090000Z',
    'DURATION:PT1H',
    `RRULE:${rule}`,
    'END:VEVENT',
  ]),
  'END:VCALENDAR',
].join('\r\n');

/** The longest time in ms in which no other work ran while a calendar was read. */
async function longestBlock(calendar: string): Promise<number> {
  let longest = 0;
  let last = performance.now();
  const turn = () => {
    longest = Math.max(longest, performance.now() - last);
    last = performance.now();
    next = setImmediate(turn);
  };
  let next = setImmediate(turn);
  await busySpans(calendar, {
    from: Date.UTC(2026, 2, 1),
    to: Date.UTC(2026, 4, 30),
    timeZone: 'Europe/London',
    isOwn: () => false,
  });
  clearImmediate(next);
  return Math.max(longest, performance.now() - last);
}

const kB = (bytes: number) => `${(bytes / 1000).toFixed(2)} kB`;
const ms = (value: number) => `${value.toFixed(1)} ms`;

const row = (what: string, ours: string, baseline: string, goal: string): Row => ({
  target: 'P17',
  what,
  ours,
  baseline,
  ratio: '–',
  goal,
});

/** Blocks short times on each of the next 28 days, outside the sample hours. */
async function blockTimes(server: BenchServer): Promise<void> {
  const cookie = await signIn(server);
  for (let n = 0; n < blockedTimes; n++) {
    const date = new Date(Date.now() + (n % 28) * 86_400_000).toISOString().slice(0, 10);
    const hour = String(Math.floor(n / 28)).padStart(2, '0');
    const response = await post(server, '/api/bookings/block', {
      headers: { Cookie: cookie },
      body: { date, from: `${hour}:00`, to: `${hour}:30` },
    });
    if (!response.ok) throw new Error(`Blocking a time returned status ${response.status}.`);
  }
}

async function pageOf({ port }: BenchServer) {
  const headers = { 'sec-fetch-dest': 'iframe', 'accept-encoding': 'br' };
  const response = await fetch(`http://127.0.0.1:${port}${page}`, { headers });
  return {
    html: await response.text(),
    compressed: Number(response.headers.get('content-length')),
  };
}

/** Median latencies in ms, of bookings and messages in turns. */
async function latencies(server: BenchServer) {
  const response = await fetch(
    `http://127.0.0.1:${server.port}/api/booking/slots?call=strategy-call`,
  );
  const { days } = (await response.json()) as { days: { slots: string[] }[] };
  const times: Record<'booking' | 'message', number[]> = { booking: [], message: [] };
  for (let n = 0; n < bookings; n++) {
    const visitor = { name: 'Ada', email: `ada-${n}@example.com` };
    const start = days[n]?.slots[0];
    const headers = { 'X-Forwarded-For': `10.9.0.${n}` };
    const call = { ...visitor, call: 'strategy-call', start };
    times.booking.push(await timed(() => post(server, '/api/bookings', { headers, body: call })));
    const message = { ...visitor, message: 'Hello' };
    times.message.push(await timed(() => post(server, '/api/contact', { headers, body: message })));
  }
  return { booking: median(times.booking), message: median(times.message) };
}

async function timed(send: () => Promise<Response>): Promise<number> {
  const startedAt = performance.now();
  const response = await send();
  if (!response.ok) throw new Error(`${response.url} returned status ${response.status}.`);
  return performance.now() - startedAt;
}

const post = (
  { port }: BenchServer,
  path: string,
  { headers, body }: { headers: Record<string, string>; body: unknown },
) =>
  fetch(`http://127.0.0.1:${port}${path}`, {
    method: 'POST',
    headers: { 'Content-Type': 'application/json', 'User-Agent': browser, ...headers },
    body: JSON.stringify(body),
  });
