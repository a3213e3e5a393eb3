import { expect, it } from 'vitest';
import { assess } from './spam.ts';
import { leads, type Sample, spam } from './test-samples.ts';

/** Only the text counts: the visitor took a minute, and nobody else wrote from there. */
const calm = { trap: undefined, took: 60_000, isBurst: false, isFlood: false };
const isSpam = (sample: Sample) => assess(sample, calm).isSpam;

it('spam filter puts none of the labelled genuine messages into the spam folder', () => {
  expect(leads.length).toBeGreaterThanOrEqual(110);
  expect(leads.filter(isSpam)).toEqual([]);
});

it('spam filter recognizes nine in ten of the labelled spam messages by their text alone', () => {
  expect(spam.length).toBeGreaterThanOrEqual(110);
  expect(spam.filter(isSpam).length / spam.length).toBeGreaterThanOrEqual(0.9);
});

it('four links and "viagra casino" from "SEO Expert" are spam', () => {
  const message = 'viagra casino http://a.com http://b.com http://c.com http://d.com';
  expect(
    assess({ name: 'SEO Expert', email: 'seo@gmail.com', company: null, message }, calm),
  ).toEqual({ isSpam: true, signs: ['links', 'words'] });
});
