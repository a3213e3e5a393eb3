/** Page views without a browser, since visits of automated browsers are not counted. */
import type { APIRequestContext } from '@playwright/test';
import { expect, type RunningSite } from './site.ts';

/** Sends the page view of a visitor with this IP address. */
export async function sendPageView(
  request: APIRequestContext,
  { origin }: RunningSite,
  address = '192.0.2.9',
) {
  const response = await request.post(`${origin}/api/activity`, {
    data: { type: 'page_view', search: '', referrer: '' },
    headers: { Origin: origin, 'x-forwarded-for': address },
  });
  expect(response.status()).toBe(204);
}
