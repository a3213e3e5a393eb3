/** What the server itself says to visitors of a site in another language, in which each word is marked. */
import { afterEach, beforeEach, expect, it } from 'vitest';
import { appRouter } from '../app/router.ts';
import { withWords } from '../contract/words/words.ts';
import { markedConfig } from '../testing/marked-config.ts';
import { marked, markedLanguage, unmarked } from '../testing/marked-language.ts';
import { site as sample } from '../testing/sample-config.ts';
import { openTestSite, type TestSite } from '../testing/site.ts';
import { ApiError, type ErrorCode, sentenceOf } from '../trpc/errors.ts';
import { visitorResponseOf } from './visitor-error.ts';

const words = withWords({ language: markedLanguage });
const monday = Date.UTC(2026, 10, 23, 9);
const fromPage = { 'sec-fetch-site': 'same-origin' };

let now = monday;
let site: TestSite;
beforeEach(async () => {
  now = monday;
  site = await openTestSite({ config: markedConfig(sample), now: () => now });
});
afterEach(() => site.close());

const procedures = ['contact.submit', 'booking.create', 'booking.change'] as const;
const known: Record<string, { _def: { meta?: { errors?: readonly ErrorCode[] } } }> = appRouter._def
  .procedures as never;
const codes = new Set<ErrorCode>([
  ...procedures.flatMap((path) => known[path]?._def.meta?.errors ?? []),
  ...(['FOREIGN_ORIGIN', 'INTERNAL_ERROR', 'PAYLOAD_TOO_LARGE', 'REQUEST_TIMEOUT'] as const),
  ...(['STORAGE_UNAVAILABLE', 'BOOKING_CLOSED'] as const),
]);

it.each([...codes])('visitors read %s in the words of the site', (code) => {
  const { message } = visitorResponseOf(new ApiError(code), words);
  expect(message).toBe(marked(sentenceOf(code)));
});

it('errors of programs stay as they are', () => {
  const { message } = visitorResponseOf(new ApiError('UNAUTHORIZED'), words);
  expect(message).toBe(sentenceOf('UNAUTHORIZED'));
});

const form = (path: string, fields: Record<string, string>) =>
  site.fetch(path, { method: 'POST', body: new URLSearchParams(fields), redirect: 'manual' });

async function valuesOf(response: Response) {
  const page = await response.text();
  return JSON.parse(page.slice(page.indexOf('{')));
}

it('mistakes in the contact form are named in the words of the site, whose values stay', async () => {
  const message = { name: 'Ada', email: 'ada@example.com', message: 'Hello' };
  const errorOf = async (fields: object) =>
    (await valuesOf(await form('/api/contact', { ...message, ...fields }))).error;
  expect(await errorOf({ email: '' })).toContain(marked('Please fill in your e-mail address.'));
  expect(await errorOf({ email: 'ada' })).toMatch(/^⟦[^⟦⟧]+⟧$/);
  const missing = `⟦Please fill in your ${marked('message')}.⟧`;
  expect(await errorOf({ message: ' ' })).toBe(missing);
  const tooLong = await errorOf({ message: 'x'.repeat(1_100_000) });
  expect(unmarked(tooLong)).toEqual([]);
  expect(tooLong).toContain(marked('Go back in your browser: your text is still in the form.'));
});

it('the form of the site gets errors in its words, and a program in English', async () => {
  const wrong = { name: 'Ada', email: 'ada@example.com', message: ' ' };
  const post = async (headers: Record<string, string>) =>
    (
      await site.fetch('/api/contact', {
        method: 'POST',
        body: JSON.stringify(wrong),
        headers: { 'content-type': 'application/json', ...headers },
      })
    ).json();
  const sentence = `⟦Please fill in your ${marked('message')}.⟧`;
  expect(await post(fromPage)).toMatchObject({
    ...{ code: 'VALIDATION', issues: [{ path: 'message', message: sentence }] },
  });
  expect(await post({})).toMatchObject({
    issues: [{ path: 'message', message: 'Please fill in your message.' }],
  });
});

/** The texts among the variables of a page, without addresses and what a form sends back. */
const textsOf = (values: object): string[] =>
  Object.entries(values).flatMap(([name, value]) => {
    if (
      /^(action|start|stamp|timeZone|self|field|zone|search|confirmed|email|name)$|Link$/.test(name)
    ) {
      // The name of a time is read aloud.
      if (name !== 'name' || !('time' in values)) return [];
    }
    if (typeof value === 'string') return [value];
    return Array.isArray(value) ? value.flatMap(textsOf) : [];
  });

it('the pages of a call have no word of another language', async () => {
  const path = '/book/strategy-call?timeZone=Europe/Berlin';
  const page = await valuesOf(await site.fetch(path));
  expect(page.days[0]).toMatchObject({ day: 'Dienstag, 24. Nov.', count: `10 ${marked('times')}` });
  const fields = { ...page, name: 'Ada', email: 'ada@studio-north.com', note: '', hq7x: '' };
  const { stamp, timeZone, search, button } = fields;
  now += 10_000;
  const book = (changes: object) =>
    form('/book/strategy-call', {
      ...{ name: 'Ada', email: 'ada@studio-north.com', stamp, timeZone, search, button },
      ...{ start: page.days[0].slots[0].start, ...changes },
    });
  const wrong = [
    { start: '' },
    { email: 'ada@studio' },
    { email: 'ada@gmial.com' },
    { name: '' },
    { note: '1'.repeat(6000) },
    { stamp: 'old' },
  ];
  const pages = [page];
  for (const changes of wrong) pages.push(await valuesOf(await book(changes)));
  const booked = (await book({})).headers.get('location') ?? '';
  const answers = await form(booked, { action: 'answers', 'answer-0': 'x'.repeat(3000) });
  for (const query of ['', '?move', '?timeZone=Asia/Tokyo']) {
    pages.push(await valuesOf(await site.fetch(booked + query)));
  }
  expect(pages).toHaveLength(10);
  for (const values of [...pages, { error: (await valuesOf(answers)).error }]) {
    expect(textsOf(values).flatMap(unmarked)).toEqual([]);
  }
  for (const { error } of pages.slice(1, 7)) expect(error).toContain('⟦');
  const file = (await (await site.fetch(`${booked}.ics`)).text()).replaceAll('\r\n ', '');
  const texts = [...file.matchAll(/^(?:SUMMARY|LOCATION):(.*)$/gm)].map(([, text]) => text);
  expect([texts.length, ...texts.flatMap(unmarked)]).toEqual([2]);
});
