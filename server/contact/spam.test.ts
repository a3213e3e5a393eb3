import { describe, expect, it } from 'vitest';
import { assess } from './spam.ts';

const message = {
  name: 'Mara Lindqvist',
  email: 'mara@lindqvist.example',
  company: 'Lindqvist Coaching',
  message:
    'Our site is https://lindqvist.example, our shop www.lindqvist-shop.example. Can you help us with both of them?',
};
const calm = { honeypot: undefined, took: 60_000, isBurst: false, isFlood: false };
const tools = (n: number) =>
  `We use ${'https://a.example and '.repeat(n)} and would like to use fewer.`;

describe('message stays in the inbox', () => {
  it.each([
    ['when nothing speaks against it', {}, {}, []],
    ['when the hidden field is empty', {}, { honeypot: '' }, []],
    ['when its company is the sender’s own site', { company: 'www.lindqvist.example' }, {}, []],
    ['when it was sent in no time by an autofill', {}, { took: 900 }, ['speed']],
    ['when many write from one office', {}, { isBurst: true }, ['rate']],
    ['when it has nine links', { message: tools(9) }, {}, ['links']],
    ['when its clock is behind', {}, { took: 3_600_000 }, []],
    ['when its clock is ahead', { message: tools(3) }, { took: -5 }, ['links']],
    ['when it does not tell its time', { message: tools(3) }, { took: undefined }, ['links']],
  ])('%s', (_, change, circumstances, signs) => {
    expect(assess({ ...message, ...change }, { ...calm, ...circumstances })).toEqual({
      isSpam: false,
      signs,
    });
  });
});

describe('message is spam', () => {
  it.each([
    ['when the hidden field is filled', {}, { honeypot: 'x' }, ['trap']],
    ['when its name is a link', { name: 'Win www.win.example' }, {}, ['links']],
    ['when its company is a link elsewhere', { company: 'http://win.example' }, {}, ['links']],
    [
      'when its links only contain the letters of the sender’s domain',
      { email: 'a@com', message: 'http://win.com '.repeat(3) },
      {},
      ['links'],
    ],
    ['when it has ten links', { message: tools(10) }, {}, ['links']],
    ['when it is nothing but links', { message: 'http://a.example '.repeat(3) }, {}, ['links']],
    ['when it has forum markup', { message: '[url=http://a.example]a[/url]' }, {}, ['links']],
    [
      'when it has three links and was sent in no time',
      { message: tools(3) },
      { took: 2999 },
      ['links', 'speed'],
    ],
    [
      'when it is one of many and was sent in no time',
      {},
      { took: 0, isBurst: true },
      ['speed', 'rate'],
    ],
    ['when its address sent ten in an hour', {}, { isBurst: true, isFlood: true }, ['rate']],
    [
      'when its sender cannot be answered and pitches',
      {
        email: 'no-reply@a.example',
        message: 'We offer web design and SEO for your website. Reply for a free quote.',
      },
      {},
      ['words', 'sender'],
    ],
  ])('%s', (_, change, circumstances, signs) => {
    expect(assess({ ...message, ...change }, { ...calm, ...circumstances })).toEqual({
      isSpam: true,
      signs: expect.arrayContaining(signs),
    });
  });
});
