import { beforeEach, describe, expect, it, vi } from 'vitest';
import { isolateEachTest } from '../testing/isolate-each-test.ts';
import { recordAttribution } from './attribution.ts';

isolateEachTest();

const day = 24 * 60 * 60_000;
const now = Date.UTC(2026, 4, 20);

beforeEach(() => {
  localStorage.clear();
  vi.stubGlobal('navigator', {});
});

/** Simulates a visit; returns the attribution parameters of the checkout link. */
function visit({ search = '', referrer = '', at = now } = {}): Record<string, string> {
  vi.stubGlobal('location', { search, hostname: 'my-domain.com' });
  vi.spyOn(document, 'referrer', 'get').mockReturnValue(referrer);
  document.body.innerHTML =
    '<a href="/api/checkout" data-cta="audit" data-own="mystore.com book.me">Buy</a><a href="/x">x</a>';
  recordAttribution(at);
  const [link, other] = document.querySelectorAll('a');
  expect(other?.getAttribute('href')).toBe('/x');
  const { button, ...touches } = Object.fromEntries(
    new URL(link?.getAttribute('href') ?? '', 'http://my-domain.com').searchParams,
  );
  expect(button).toBe('audit');
  return touches;
}

describe('the checkout link', () => {
  it('the checkout link has the first and the last touch', () => {
    const first = { first: '?utm_source=podcast', last: '?utm_source=podcast' };
    expect(visit({ search: '?utm_source=podcast' })).toEqual(first);
    expect(visit()).toEqual(first);
    expect(visit({ referrer: 'https://l.instagram.com/stories/1?x=y' })).toEqual({
      first: '?utm_source=podcast',
      last: 'https://l.instagram.com',
    });
  });

  it('the checkout link has no touch for a direct visit or a return from the site’s own services', () => {
    expect(visit()).toEqual({});
    expect(visit({ referrer: 'https://my-domain.com/admin' })).toEqual({});
    expect(visit({ referrer: 'https://checkout.stripe.com/c/pay' })).toEqual({});
    expect(visit({ search: '?page=2', referrer: 'about:client' })).toEqual({});
    expect(visit({ search: '?utm_source=direct', referrer: 'https://my.mystore.com/' })).toEqual(
      {},
    );
    expect(visit({ search: '?ref=(none)', referrer: 'https://www.book.me/x' })).toEqual({});
  });

  it('the checkout link has the campaign of a touch', () => {
    const search = '?utm_medium=email&page=2&utm_campaign=Spring+sale&utm_source=newsletter';
    const from = '?utm_source=newsletter&utm_medium=email&utm_campaign=Spring+sale';
    expect(visit({ search })).toEqual({ first: from, last: from });
    const referrer = 'https://some-blog.com/a';
    expect(visit({ search: '?utm_campaign=spring&utm_medium=(none)', referrer }).last).toBe(
      'https://some-blog.com?utm_campaign=spring',
    );
    expect(visit({ search: '?utm_campaign=spring&gclid=a' }).last).toBe(
      '?gclid=1&utm_campaign=spring',
    );
    expect(visit({ search: '?utm_campaign=autumn' }).last).toBe('?gclid=1&utm_campaign=spring');
  });

  it('only the parameters that name source and campaign are stored, cut to 80 characters', () => {
    const long = 'x'.repeat(400);
    expect(
      visit({ search: `?gclid=${long}&email=jane@example.com&utm_source=newsletter` }).last,
    ).toBe('?utm_source=newsletter');
    expect(visit({ search: `?gclid=${long}` }).last).toBe('?gclid=1');
    expect(visit({ search: `?utm_source=${long}` }).last).toHaveLength('?utm_source='.length + 80);
    expect(localStorage.getItem('touches')).not.toContain('jane');
  });

  it('an Android app is recognized as a referrer', () => {
    expect(visit({ referrer: 'android-app://com.linkedin.android/' }).last).toBe(
      'android-app://com.linkedin.android',
    );
  });

  it('the first and the last touch expire after thirty days', () => {
    visit({ search: '?ref=a' });
    const later = visit({ search: '?ref=b', at: now + 20 * day });
    expect(later).toEqual({ first: '?ref=a', last: '?ref=b' });
    expect(visit({ at: now + 31 * day })).toEqual({ last: '?ref=b' });
    expect(visit({ at: now + 51 * day })).toEqual({});
  });

  it.each([
    'no json',
    'null',
    '[]',
    '{"first":5,"last":{"from":7,"at":1}}',
    '{"last":{"at":1e99}}',
  ])('invalid stored touches are ignored: %j', (stored) => {
    localStorage.setItem('touches', stored);
    expect(visit()).toEqual({});
  });

  it('attribution works for the current page when storage is blocked', () => {
    vi.stubGlobal('localStorage', undefined);
    expect(visit({ search: '?ref=a' })).toEqual({ first: '?ref=a', last: '?ref=a' });
  });
});

it('Global Privacy Control deletes stored touches and marks the checkout link as private', () => {
  visit({ search: '?utm_source=podcast' });
  vi.stubGlobal('navigator', { globalPrivacyControl: true });
  expect(visit({ search: '?utm_source=podcast' })).toEqual({ private: '1' });
  expect(localStorage).toHaveLength(0);
});

it('nothing is stored on a site without a checkout', () => {
  vi.stubGlobal('location', { search: '?utm_source=podcast', hostname: 'my-domain.com' });
  document.body.innerHTML = '<a href="/x">x</a>';
  recordAttribution();
  expect(localStorage).toHaveLength(0);
});
