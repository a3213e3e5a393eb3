/** Sales that an external checkout reports through the API. */
import type { APIRequestContext } from '@playwright/test';
import { expect, type RunningSite } from './site.ts';

export interface Sale {
  id: string;
  amount: number;
  currency?: string;
  email?: string;
  source?: string;
  button?: string;
  timestamp?: string;
}

/** Reports a sale through the API, in USD by default. */
export async function reportSale(request: APIRequestContext, site: RunningSite, sale: Sale) {
  const response = await request.post(`${site.origin}/api/conversions`, {
    headers: { Authorization: `Bearer ${site.conversionKey}` },
    data: { currency: 'USD', ...sale },
  });
  expect(response.status()).toBe(200);
}
