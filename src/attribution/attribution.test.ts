import { beforeEach, describe, expect, it, vi } from 'vitest';
import { eachTestIsAPage } from '../testing/page.ts';
import { recordTouches } from './attribution.ts';

eachTestIsAPage();

const day = 24 * 60 * 60_000;
const now = Date.UTC(2026, 4, 20);

beforeEach(() => {
  localStorage.clear();
  vi.stubGlobal('navigator', {});
});

/** A visit; answers with what the link to the checkout says then. */
function visit({ search = '', referrer = '', at = now } = {}): Record<string, string> {
  vi.stubGlobal('location', { search, hostname: 'my-domain.com' });
  vi.spyOn(document, 'referrer', 'get').mockReturnValue(referrer);
  document.body.innerHTML =
    '<a href="/api/checkout" data-cta="audit" data-own="mystore.com book.me">Buy</a><a href="/x">x</a>';
  recordTouches(at);
  const [link, other] = document.querySelectorAll('a');
  expect(other?.getAttribute('href')).toBe('/x');
  const { control, ...touches } = Object.fromEntries(
    new URL(link?.getAttribute('href') ?? '', 'http://my-domain.com').searchParams,
  );
  expect(control).toBe('audit');
  return touches;
}

describe('the link to the checkout', () => {
  it('says where the visitor came from, first and last', () => {
    const first = { first: '?utm_source=podcast', last: '?utm_source=podcast' };
    expect(visit({ search: '?utm_source=podcast' })).toEqual(first);
    expect(visit()).toEqual(first);
    expect(visit({ referrer: 'https://l.instagram.com/stories/1?x=y' })).toEqual({
      first: '?utm_source=podcast',
      last: 'https://l.instagram.com',
    });
  });

  it('says nothing of who was sent by nobody, or comes back from paying', () => {
    expect(visit()).toEqual({});
    expect(visit({ referrer: 'https://my-domain.com/admin' })).toEqual({});
    expect(visit({ referrer: 'https://checkout.stripe.com/c/pay' })).toEqual({});
    expect(visit({ search: '?page=2', referrer: 'about:client' })).toEqual({});
    expect(visit({ search: '?utm_source=direct', referrer: 'https://my.mystore.com/' })).toEqual(
      {},
    );
    expect(visit({ search: '?ref=(none)', referrer: 'https://www.book.me/x' })).toEqual({});
  });

  it('keeps the one word that names the source, and nothing else of the address', () => {
    const long = 'x'.repeat(400);
    expect(
      visit({ search: `?gclid=${long}&email=jane@example.com&utm_source=newsletter` }).last,
    ).toBe('?utm_source=newsletter');
    expect(visit({ search: `?gclid=${long}` }).last).toBe('?gclid=1');
    expect(visit({ search: `?utm_source=${long}` }).last).toHaveLength('?utm_source='.length + 80);
    expect(localStorage.getItem('touches')).not.toContain('jane');
  });

  it('knows an app that sent the visitor', () => {
    expect(visit({ referrer: 'android-app://com.linkedin.android/' }).last).toBe(
      'android-app://com.linkedin.android',
    );
  });

  it('forgets after thirty days, the first as well as the last', () => {
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
  ])('does not mind %j in the storage', (kept) => {
    localStorage.setItem('touches', kept);
    expect(visit()).toEqual({});
  });

  it('works where nothing can be kept', () => {
    vi.stubGlobal('localStorage', undefined);
    expect(visit({ search: '?ref=a' })).toEqual({ first: '?ref=a', last: '?ref=a' });
  });
});

it('keeps nothing of a visitor who asks for privacy, and says so to the checkout', () => {
  visit({ search: '?utm_source=podcast' });
  vi.stubGlobal('navigator', { globalPrivacyControl: true });
  expect(visit({ search: '?utm_source=podcast' })).toEqual({ private: '1' });
  expect(localStorage).toHaveLength(0);
});

it('keeps nothing on a site without a checkout', () => {
  vi.stubGlobal('location', { search: '?utm_source=podcast', hostname: 'my-domain.com' });
  document.body.innerHTML = '<a href="/x">x</a>';
  recordTouches();
  expect(localStorage).toHaveLength(0);
});
