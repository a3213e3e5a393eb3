import { createHash } from 'node:crypto';
import { describe, expect, it } from 'vitest';
import { sampleMessage } from '../testing/message.ts';
import { assess, idempotentId, messageId } from './submission.ts';

const message = sampleMessage({
  name: 'Mara Lindqvist',
  email: 'mara@lindqvist.example',
  company: 'Lindqvist Coaching',
  message:
    'Our site is https://lindqvist.example, our shop www.lindqvist-shop.example. Can you help us with both of them?',
});
const neutral = { honeypot: undefined, elapsedMs: 60_000, isBurst: false, isFlood: false };
const tools = (n: number) =>
  `We use ${'https://a.example and '.repeat(n)} and would like to use fewer.`;

describe('genuine', () => {
  it.each([
    ['when it has no sign of spam', {}, {}, []],
    ['when the honeypot field is empty', {}, { honeypot: '' }, []],
    ['when its company is the sender’s own site', { company: 'www.lindqvist.example' }, {}, []],
    ['when it was sent within a second by autofill', {}, { elapsedMs: 900 }, ['speed']],
    ['when several people write from one address', {}, { isBurst: true }, ['rate']],
    ['when it has nine links', { message: tools(9) }, {}, ['links']],
    ['when the clock of the visitor is behind', {}, { elapsedMs: 3_600_000 }, []],
    ['when the clock of the visitor is ahead', { message: tools(3) }, { elapsedMs: -5 }, ['links']],
    [
      'when its loading time is unknown',
      { message: tools(3) },
      { elapsedMs: undefined },
      ['links'],
    ],
  ])('message stays in the inbox %s', (_, change, context, signs) => {
    expect(assess({ ...message, ...change }, { ...neutral, ...context })).toEqual({
      isSpam: false,
      signs,
    });
  });
});

describe('spam', () => {
  it.each([
    ['when the honeypot field is filled', {}, { honeypot: 'x' }, ['trap']],
    ['when its name is a link', { name: 'Win www.win.example' }, {}, ['links']],
    [
      'when its company is a link to another site',
      { company: 'http://win.example' },
      {},
      ['links'],
    ],
    [
      'when its links only contain the letters of the sender’s domain',
      { email: 'a@com', message: 'http://win.com '.repeat(3) },
      {},
      ['links'],
    ],
    ['when it has ten links', { message: tools(10) }, {}, ['links']],
    ['when it consists of links only', { message: 'http://a.example '.repeat(3) }, {}, ['links']],
    ['when it has forum markup', { message: '[url=http://a.example]a[/url]' }, {}, ['links']],
    [
      'when it has three links and was sent within three seconds',
      { message: tools(3) },
      { elapsedMs: 2999 },
      ['links', 'speed'],
    ],
    [
      'when it is one of several and was sent at once',
      {},
      { elapsedMs: 0, isBurst: true },
      ['speed', 'rate'],
    ],
    ['when its address sent ten in an hour', {}, { isBurst: true, isFlood: true }, ['rate']],
    [
      'when it is a sales pitch from a no-reply address',
      {
        email: 'no-reply@a.example',
        message: 'We offer web design and SEO for your website. Reply for a free quote.',
      },
      {},
      ['words', 'sender'],
    ],
  ])('message is spam %s', (_, change, context, signs) => {
    expect(assess({ ...message, ...change }, { ...neutral, ...context })).toEqual({
      isSpam: true,
      signs: expect.arrayContaining(signs),
    });
  });
});

it('idempotency key of a message counts only fields that are filled in', () => {
  const filled = { name: 'Ada', email: 'ada@example.com', message: 'Hello' };
  const text = JSON.stringify(Object.entries(filled));
  const hash = createHash('sha256').update(text).digest('base64url');
  expect(idempotentId('key', sampleMessage(filled))).toBe(`key ${hash}`);
  expect(idempotentId('key', sampleMessage({ ...filled, company: 'A' }))).not.toBe(`key ${hash}`);
});

it('message id is a version 7 UUID that starts with its time', () => {
  const id = messageId(Date.UTC(2026, 0, 2, 3, 4, 5, 6));
  expect(id).toMatch(/^[\da-f]{8}-[\da-f]{4}-7[\da-f]{3}-[89ab][\da-f]{3}-[\da-f]{12}$/);
  const time = Number.parseInt(id.replace('-', '').slice(0, 12), 16);
  expect(new Date(time).toISOString()).toBe('2026-01-02T03:04:05.006Z');
});

it('message ids sort by time and are unique', () => {
  const ids = Array.from({ length: 1000 }, (_, i) => messageId(1_000_000 + i));
  expect([...ids].sort()).toEqual(ids);
  expect(new Set(Array.from({ length: 1000 }, () => messageId(5))).size).toBe(1000);
});

it('message with long hostile fields does not hold up other requests', () => {
  const fields = sampleMessage({
    name: 'aA '.repeat(300_000),
    email: `a@${'a.'.repeat(250_000)}example`,
    company: '\u202e'.repeat(1_000_000),
    message: 'www.a.b '.repeat(60_000),
  });
  // Where each link is compared with the whole address, this takes minutes.
  expect(assess(fields, neutral)).toMatchObject({ isSpam: true });
});
