import { describe, expect, it } from 'vitest';
import { suspicionsOf } from './spam.ts';

const letter = {
  name: 'Mara Lindqvist',
  company: 'Lindqvist Coaching',
  message:
    'Our site is https://lindqvist.example, our shop www.lindqvist-shop.example. Can you help?',
};
const calm = { trap: undefined, took: 60_000, isBurst: false, isFlood: false };
const links = (n: number) => 'See https://a.example '.repeat(n);

describe('is taken for a letter', () => {
  it.each([
    ['as people write them', {}, {}],
    ['with what an untouched field holds', {}, { trap: '' }],
    ['sent in no time, by an autofill', {}, { took: 900 }],
    ['from an office where many write', {}, { isBurst: true }],
    ['with some links', { message: links(9) }, {}],
    ['from a clock that is behind', {}, { took: 3_600_000 }],
    ['from a clock that is ahead, with some links', { message: links(3) }, { took: -5 }],
    ['that says nothing of its time', { message: links(3) }, { took: undefined }],
  ])('one %s', (_, change, circumstances) => {
    expect(suspicionsOf({ ...letter, ...change }, { ...calm, ...circumstances })).toEqual([]);
  });
});

describe('is taken for spam', () => {
  it.each([
    ['a filled trap', {}, { trap: 'x' }, ['trap']],
    ['a name that is an advertisement', { name: 'Win www.win.example' }, {}, ['links']],
    ['a company that is one', { company: 'http://win.example' }, {}, ['links']],
    ['many links', { message: links(10) }, {}, ['links']],
    ['some links in no time', { message: links(3) }, { took: 2999 }, ['links', 'speed']],
    ['one of many in no time', {}, { took: 0, isBurst: true }, ['speed', 'rate']],
    ['one of a flood', {}, { isBurst: true, isFlood: true }, ['rate']],
    [
      'all at once',
      { message: links(9) },
      { trap: 'x', took: 1, isBurst: true },
      ['trap', 'links', 'speed', 'rate'],
    ],
  ])('%s', (_, change, circumstances, found) => {
    expect(suspicionsOf({ ...letter, ...change }, { ...calm, ...circumstances })).toEqual(found);
  });
});
