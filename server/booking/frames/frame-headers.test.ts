import { describe, expect, it } from 'vitest';
import { frameCases } from '../../testing/frame-cases.ts';
import { mayBeFramed } from './frame-headers.ts';

const calendar = new URL('https://calendar.test/rowan/call');
const verdict = (
  headers: { xFrameOptions?: string; policy?: string },
  { address = calendar, origin }: { address?: URL; origin?: string } = {},
) =>
  mayBeFramed(
    {
      xFrameOptions: headers.xFrameOptions ?? null,
      contentSecurityPolicy: headers.policy ?? null,
    },
    { address, origin },
  );

describe('by the rules of browsers', () => {
  it.each(frameCases)(
    'calendar with $title is shown: $isShown',
    ({ xFrameOptions, policies, isOwn, isShown }) => {
      const page = new URL('http://rowan.localhost:1234');
      const address = new URL(isOwn ? page : 'http://calendar.localhost:5678/call');
      const headers = {
        xFrameOptions: xFrameOptions?.join(', ') ?? null,
        contentSecurityPolicy: policies?.({ page, calendar: address }).join(', ') ?? null,
      };
      expect(mayBeFramed(headers, { address, origin: page.origin })).toBe(isShown);
    },
  );
});

describe('over https', () => {
  it.each([
    ['https:', true],
    ['http:', true],
    ['data: blob:', false],
    ['rowan.test', true],
    ['ROWAN.test', true],
    ['https://rowan.test', true],
    ['https://rowan.test:443', true],
    ['https://rowan.test:444', false],
    ['http://rowan.test', true],
    ['https://rowan.test/', true],
    ['https://rowan.test/contact', false],
    ['*.rowan.test', false],
    ['*.test', true],
    ['https://*', true],
    ['www.rowan.test', false],
    ["'self'", false],
    ["'none'", false],
    ["'unsafe-inline'", false],
    ['!', false],
  ])('frame-ancestors %s allows https://rowan.test: %s', (sources, isAllowed) => {
    const policy = `frame-ancestors ${sources}`;
    expect(verdict({ policy }, { origin: 'https://rowan.test' })).toBe(isAllowed);
  });

  it("frame-ancestors 'self' of an http calendar allows the same host over https", () => {
    const place = { address: new URL('http://rowan.test/call'), origin: 'https://rowan.test' };
    expect(verdict({ policy: "frame-ancestors 'self'" }, place)).toBe(true);
    expect(verdict({ xFrameOptions: 'SAMEORIGIN' }, place)).toBe(false);
  });

  it('frame-ancestors source without a scheme takes the scheme of the calendar', () => {
    const policy = 'frame-ancestors rowan.test';
    expect(verdict({ policy }, { origin: 'http://rowan.test' })).toBe(false);
  });

  it('frame-ancestors source can be an IPv6 host', () => {
    const policy = 'frame-ancestors http://[::1]:3000';
    expect(verdict({ policy }, { origin: 'http://[::1]:3000' })).toBe(true);
    expect(verdict({ policy }, { origin: 'http://[::2]:3000' })).toBe(false);
  });
});

describe('when the origin of the site is unknown', () => {
  it.each([
    ['*', true],
    ['https:', true],
    ['https://*', true],
    ['*:*', true],
    ['*.rowan.test', true],
    ["'self' https://*.rowan.test", true],
    ["'none'", false],
    ["'self'", false],
    ['https://rowan.test', false],
    ["'self' https://app.calendar.test", false],
    ['data:', false],
  ])('frame-ancestors %s counts as allowing an unknown origin: %s', (sources, isAllowed) => {
    expect(verdict({ policy: `frame-ancestors ${sources}` })).toBe(isAllowed);
  });

  it.each([
    ['DENY', false],
    ['SAMEORIGIN', false],
    ['ALLOWALL', true],
  ])('X-Frame-Options %s counts as allowing an unknown origin: %s', (xFrameOptions, isAllowed) => {
    expect(verdict({ xFrameOptions })).toBe(isAllowed);
  });
});
