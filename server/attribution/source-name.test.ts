import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { anyText } from '../testing/any-text.ts';
import { sourceIn, sourceNamed, sourceOf, sourcePath, sourceText } from './source-name.ts';

const own = ['my-domain.com', 'book.other-domain.com'];
const source = (search: string, referrer = '') => sourceOf({ search, referrer }, own);

describe('the source of a visit', () => {
  it.each([
    ['?utm_source=Newsletter', '', 'newsletter'],
    ['?utm_source=%20My%20Podcast%20', '', 'my-podcast'],
    ['?utm_source=IG&utm_medium=social', 'https://l.instagram.com/', 'instagram/social'],
    [
      '?utm_source=news&utm_medium=Email&utm_campaign=+Spring+Sale%21',
      '',
      'news/email/spring-sale',
    ],
    ['?utm_source=news&utm_campaign=a/b&utm_medium=(none)', '', 'news//ab'],
    ['?utm_campaign=spring', 'https://some-blog.com/a', 'some-blog.com//spring'],
    ['?gclid=abc&utm_medium=cpc', '', 'google/cpc'],
    ['?utm_source=news&utm_campaign=ada%40example.com', '', 'news'],
    ['?utm_source=news&utm_medium=ig&utm_campaign=google.com', '', 'news/ig/google.com'],
    ['?source=partner', '', 'partner'],
    ['?ref=producthunt', 'https://www.producthunt.com/', 'producthunt'],
    ['?utm_source=&ref=friend', '', 'friend'],
    ['', 'https://www.google.com/', 'google'],
    ['', 'https://www.google.co.uk/search?q=x', 'google'],
    ['', 'https://news.google.com/', 'news.google.com'],
    ['', 'https://t.co/abc', 'x'],
    ['', 'https://m.facebook.com/', 'facebook'],
    ['', 'https://lm.facebook.com/l.php?u=x', 'facebook'],
    ['', 'https://lnkd.in/x', 'linkedin'],
    ['', 'android-app://com.linkedin.android/', 'linkedin'],
    ['', 'https://WWW.Some-Blog.com/a/b?email=ada@example.com', 'some-blog.com'],
    ['', 'http://x.y', 'x.y'],
    ['?fbclid=1', 'https://l.instagram.com/', 'instagram'],
    ['?gclid=abc', '', 'google'],
    ['?utm_source=constructor', '', 'constructor'],
    ['?utm_source=__proto__', '', '__proto__'],
    ['?utm_source=https://www.instagram.com/me?x=y', '', 'instagram'],
    ['?utm_source=google.com', '', 'google'],
    ['?utm_source=%E0%A4%B9%E0%A4%BF%E0%A4%A8%E0%A5%8D%E0%A4%A6%E0%A5%80', '', 'हिन्दी'],
    ['?utm_source=none&ref=friend', '', 'friend'],
    ['?gclid=abc', 'https://my-domain.com/', 'google'],
  ])('sourceOf %s and %j is %j', (search, referrer, name) =>
    expect(source(search, referrer)).toBe(name),
  );

  it.each([
    ['', ''],
    ['?x=1', ''],
    ['?utm_medium=email&utm_campaign=spring', ''],
    ['?utm_source=direct', ''],
    ['?utm_source=(direct)', ''],
    ['?utm_source=%F0%9F%9A%80', ''],
    ['', 'https://my-domain.com/thanks'],
    ['', 'https://www.my-domain.com/'],
    ['', 'https://book.other-domain.com/x'],
    ['', 'https://buy.stripe.com/c/pay'],
    ['', 'https://checkout.stripe.com/'],
    ['', 'https://calendly.com/me'],
    ['', 'about:blank'],
    ['', 'no address'],
    ['', 'javascript:alert(1)'],
  ])('sourceOf %s and %j is null', (search, referrer) =>
    expect(source(search, referrer)).toBe(null),
  );

  it.each([
    'ada@example.com',
    'ada%40example.com',
    'ada%2540example.com',
    'ada%25252540example.com',
    'ada＠example.com',
    'news to ada@example.com',
  ])('a source name never holds an email address when utm_source is %s', (word) => {
    expect(source(`?utm_source=${word}`)).toBe('email');
    expect(sourceText(word)).toBe('email');
  });

  it.each(['20241125-0900', '15.06.2024-1', '978-3-16-148410-0', '192.168.100.200'])(
    'a source name keeps dates and numbers of a campaign: %s',
    (word) => expect(source(`?utm_source=${word}`)).toBe(word),
  );

  it('the text of a source stays as the checkout wrote it when it names no person', () => {
    for (const text of ['My Podcast', 'E-Mail', '', 'https://some-blog.com/a?b=1']) {
      expect(sourceText(text)).toBe(text);
    }
  });

  it.each([
    ['newsletter', 'newsletter'],
    ['My Newsletter / E-Mail / Spring Sale', 'my-newsletter/e-mail/spring-sale'],
    ['newsletter//spring/sale', 'newsletter//springsale'],
    ['newsletter/email/', 'newsletter/email'],
    ['e/mail', 'e/mail'],
    ['https://www.instagram.com/me/too', 'instagram'],
    ['newsletter/email/ada@example.com', 'email'],
    ['direct/email', null],
    ['/email', null],
    [null, null],
  ])('sourcePath of %j is %j', (text, path) => expect(sourcePath(text)).toBe(path));

  it('the text of a source with a campaign stays as it is when it names no person', () => {
    for (const text of ['newsletter/email/spring', 'e/mail']) expect(sourceText(text)).toBe(text);
    expect(sourceText('newsletter/email/ada@example.com')).toBe('email');
  });

  it('sourcePath returns three short, safe names and is idempotent for any campaign', () => {
    const text = anyText({ maxLength: 120 }).map((one) => one.toWellFormed());
    fc.assert(
      fc.property(text, text, (medium, campaign) => {
        const query = new URLSearchParams({ utm_medium: medium, utm_campaign: campaign });
        const path = source(`?utm_source=news&${query}`) ?? '';
        expect(sourceIn(path)).toBe('news');
        expect(path).toMatch(/^news(\/[\p{L}\p{M}\p{N}._-]*){0,2}$/u);
        for (const part of path.split('/')) expect(Buffer.byteLength(part)).toBeLessThanOrEqual(40);
        expect(sourcePath(path)).toBe(path);
      }),
      { numRuns: process.env.TEST_LONG ? 1000 : 300 },
    );
  });

  it('sourceNamed returns a short, safe and idempotent name for any input', () => {
    fc.assert(
      fc.property(
        fc.oneof(
          anyText({ maxLength: 300 }),
          fc.constantFrom('__proto__', 'constructor', '㈀ㅏ', 'İ'),
        ),
        fc.webUrl(),
        (text, url) => {
          const found = [
            source(`?utm_source=${encodeURIComponent(text.toWellFormed())}`),
            source(text, url),
          ];
          for (const name of found) {
            if (name === null) continue;
            expect(name).toMatch(/^[\p{L}\p{M}\p{N}._-]+$/u);
            expect(Buffer.byteLength(name)).toBeLessThanOrEqual(40);
            expect(sourceNamed(name)).toBe(name);
          }
        },
      ),
      { numRuns: process.env.TEST_LONG ? 1000 : 300 },
    );
  });
});
