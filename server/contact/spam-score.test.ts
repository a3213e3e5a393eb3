import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import type { FormFields } from '../contract/contact-fields.ts';
import { sampleMessage } from '../testing/message.ts';
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
  const lead = sampleMessage({ name: '李娜', email: 'lina@nali-shop.com', message });
  expect(isSpam(lead)).toBe(false);
});

it('a pitch in Japanese is spam by its text alone', () => {
  const message =
    '突然のご連絡失礼いたします。ホームページ制作会社の山本と申します。貴社サイトを拝見し、問い合わせを増やすご提案がございましてご連絡いたしました。初期費用無料で導入いただけます。15分ほどオンラインでお時間をいただけませんでしょうか。';
  const name = '山本';
  expect(isSpam(sampleMessage({ name, email: 'yamamoto@hp.example', message }))).toBe(true);
});

it('four links and "viagra casino" from "SEO Expert" are spam', () => {
  const message = 'viagra casino http://a.com http://b.com http://c.com http://d.com';
  expect(
    assess(sampleMessage({ name: 'SEO Expert', email: 'seo@gmail.com', message }), neutral),
  ).toEqual({ isSpam: true, signs: ['links', 'words'] });
});

const pitch = 'Hello, please have a look.';
it.each([
  ['a link without a scheme in the name', { name: 'Win prize now at evil.example' }],
  ['a path in the name', { name: 'Prize evil.example/win' }],
  ['a full-width link in the name', { name: 'Prize ｅｖｉｌ．ｅｘａｍｐｌｅ／ｗｉｎ' }],
  ['a name in letters in circles', { name: 'ⓗⓣⓣⓟⓢ://evil.example' }],
  ['full-width links', { message: `${'ｈｔｔｐｓ：／／evil.example/a '.repeat(10)}` }],
  ['a message that is the address', { message: ' Tom@studio.example\n' }],
])('message with %s is spam', (_, fields) => {
  const email = 'tom@studio.example';
  expect(isSpam(sampleMessage({ name: 'Tom', email, message: pitch, ...fields }))).toBe(true);
});

it.each([
  ['Ｋａｅｄｅ', 'kaede@tea.example'],
  ['Li.Na', 'lina@gmail.com'],
  ['li.na', 'lina@gmail.com'],
  ['Maria from mariascakes.com', 'maria@gmail.com'],
  ['The team of the mariascakes.com shop', 'maria@mariascakes.com'],
  ['J.P. Morgan', 'jp@studio.example'],
  ['St.John Smith', 'sj@studio.example'],
])('genuine message of %s stays in the inbox', (name, email) =>
  expect(isSpam(sampleMessage({ name, email, message: pitch }))).toBe(false),
);
