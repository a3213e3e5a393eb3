import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import type { FormFields } from './message.ts';
import { leads, samplesIn, spam } from './spam-score.ts';
import { assess } from './submission.ts';

/** A context without signs of spam, so that only the text counts. */
const neutral = { honeypot: undefined, elapsedMs: 60_000, isBurst: false, isFlood: false };
const isSpam = (sample: FormFields) => assess(sample, neutral).isSpam;
const samplesOf = (file: string) =>
  samplesIn(readFileSync(new URL(`samples/${file}`, import.meta.url), 'utf8'));

describe.each([
  ['the filter was trained on', leads(), spam()],
  ['the filter has never seen', samplesOf('leads-held-out.txt'), samplesOf('spam-held-out.txt')],
])('labelled messages that %s', (_, genuine, advertisements) => {
  it('spam filter puts no genuine message into the spam folder', () => {
    expect(genuine.length).toBeGreaterThanOrEqual(100);
    expect(genuine.filter(isSpam)).toEqual([]);
  });

  it('spam filter recognizes nine in ten spam messages by their text alone', () => {
    expect(advertisements.length).toBeGreaterThanOrEqual(100);
    expect(advertisements.filter(isSpam).length / advertisements.length).toBeGreaterThanOrEqual(
      0.9,
    );
  });
});

it('a Chinese enquiry stays in the inbox', () => {
  const message =
    '您好，我们是一家做跨境电商的公司，想请您帮助我们优化网站的转化率。请问咨询的价格是多少？期待您的回复，谢谢。';
  const lead = { name: '李娜', email: 'lina@nali-shop.com', company: null, message };
  expect(isSpam(lead)).toBe(false);
});

it('four links and "viagra casino" from "SEO Expert" are spam', () => {
  const message = 'viagra casino http://a.com http://b.com http://c.com http://d.com';
  expect(
    assess({ name: 'SEO Expert', email: 'seo@gmail.com', company: null, message }, neutral),
  ).toEqual({ isSpam: true, signs: ['links', 'words'] });
});
