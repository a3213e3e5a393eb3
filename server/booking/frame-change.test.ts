import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import { loadPages } from '../http/pages.ts';
import { answers, openTestCalendar, type TestCalendar } from '../testing/calendar.ts';
import { openTestSite, type TestSite } from '../testing/site.ts';

const part = (name: string) =>
  `{{^${name}Unframed}}<iframe ${name}>{{/${name}Unframed}}{{#${name}Unframed}}<a ${name}>{{/${name}Unframed}}`;
const forbidden = answers(200, { 'X-Frame-Options': 'DENY' });

let dist: string;
let calendar: TestCalendar;
let site: TestSite;
/** How often a visitor had to wait until a page was compressed. */
let waits: number;
/** Paths at which the calendar refuses. */
const refusing = new Set<string>();

beforeEach(async () => {
  dist = await mkdtemp(join(tmpdir(), 'shingle-dist-'));
  await mkdir(join(dist, 'client'));
  await mkdir(join(dist, 'pages'));
  const home = `<html>{{origin}} ${part('strategyCall')} ${part('inboxReview')}</html>`;
  await writeFile(join(dist, 'pages/home.html'), home);
  await writeFile(join(dist, 'pages/app.html'), '<html>app</html>');
  await writeFile(join(dist, 'pages/not-found.html'), `<html>404 ${part('inboxReview')}</html>`);
  calendar = await openTestCalendar();
  refusing.clear();
  calendar.behaves((res, req) => {
    (refusing.has(req.url ?? '') ? forbidden : answers(200))(res, req);
  });
  waits = 0;
  const pages = loadPages(dist, { frames: [], scripts: [] });
  site = await openTestSite({
    pages: {
      ...pages,
      serve(...request) {
        const answered = pages.serve(...request);
        if (answered instanceof Promise) waits += 1;
        return answered;
      },
    },
    calendars: {
      strategyCall: `${calendar.origin}/call`,
      inboxReview: `${calendar.origin}/review`,
    },
    calendarPace: { first: 20, every: 20, again: 20, timeout: 2000 },
  });
});
afterEach(async () => {
  await site.close();
  await calendar.close();
  await rm(dist, { recursive: true });
});

const at = async (path: string) => (await site.fetch(path)).text();
const frames = (call: string, review: string) =>
  `<html>${site.origin} <${call} strategyCall> <${review} inboxReview></html>`;
const becomes = (path: string, html: string) =>
  vi.waitFor(async () => expect(await at(path)).toBe(html), 20_000);
/** Until the calendars have been looked at once more, from the first to the last. */
async function anotherRound() {
  const before = calendar.asked.length;
  await vi.waitFor(() => expect(calendar.asked.length).toBeGreaterThan(before + 4), 20_000);
}

it('a calendar that forbids frames gets a link in its dialog, and its frame back later', async () => {
  await anotherRound();
  expect(await at('/')).toBe(frames('iframe', 'iframe'));
  refusing.add('/review');
  await becomes('/', frames('iframe', 'a'));
  refusing.add('/call');
  await becomes('/', frames('a', 'a'));
  refusing.delete('/review');
  await becomes('/', frames('a', 'iframe'));
  refusing.clear();
  await becomes('/', frames('iframe', 'iframe'));
});

it('no visitor waits for the page that a flip makes', async () => {
  await at('/');
  waits = 0;
  refusing.add('/review');
  await becomes('/', frames('iframe', 'a'));
  refusing.add('/call');
  await becomes('/', frames('a', 'a'));
  expect(waits).toBe(0);
});

it('every document with such a dialog is told, and no other is changed', async () => {
  refusing.add('/review');
  await becomes('/', frames('iframe', 'a'));
  expect(await at('/nowhere')).toBe('<html>404 <a inboxReview></html>');
  for (const path of ['/admin', '/analytics']) expect(await at(path)).toBe('<html>app</html>');
});

it('the page has another tag once it is another, and the old one when it is back', async () => {
  const tag = async () => (await site.fetch('/')).headers.get('etag');
  const framed = await tag();
  refusing.add('/call');
  await becomes('/', frames('a', 'iframe'));
  expect(await tag()).not.toBe(framed);
  expect((await site.fetch('/', { headers: { 'if-none-match': framed ?? '' } })).status).toBe(200);
  refusing.clear();
  await becomes('/', frames('iframe', 'iframe'));
  expect(await tag()).toBe(framed);
});

it('a calendar without a network changes nothing', async () => {
  calendar.behaves((res) => void res.destroy());
  await anotherRound();
  expect(await at('/')).toBe(frames('iframe', 'iframe'));
});

it('no visitor’s request asks the calendar', async () => {
  const still = await openTestSite({
    pages: loadPages(dist, { frames: [], scripts: [] }),
    calendars: { strategyCall: `${calendar.origin}/still` },
  });
  for (let n = 0; n < 5; n += 1) await still.fetch('/');
  await still.close();
  expect(calendar.asked).not.toContain('/still');
});
