import { describe, expect, it } from 'vitest';
import { charge, event, refund, session } from '../../testing/stripe/events.ts';
import { paymentScenarios } from '../../testing/stripe/scenarios.ts';
import { eventOf } from './facts.ts';
import { createSearch, redacted, redactedStart } from './redact.ts';

const events = Object.values(paymentScenarios).flatMap((scenario) => scenario.events);
const factsOf = (payload: string) => eventOf(JSON.parse(payload));

describe('redacted', () => {
  it('redacted keeps all facts of a sale except the email address', () => {
    const withoutEmail = (payload: string) =>
      factsOf(payload.replaceAll(/"email":"[^"]*"|"customer_email":"[^"]*"/g, '"email":null'));
    expect(events.length).toBeGreaterThan(20);
    for (const one of events) {
      const payload = JSON.stringify(one);
      expect(factsOf(redacted(payload, () => true))).toEqual(withoutEmail(payload));
    }
  });

  it('redacted removes every field outside the allowlist', () => {
    const payload = JSON.stringify(
      event(
        'checkout.session.completed',
        session({
          customer: 'cus_secret',
          customer_email: 'secret@example.com',
          total_details: { amount_tax: 700, breakdown: { taxes: ['secret'] } },
          customer_details: {
            email: 'secret@example.com',
            name: 'Secret',
            address: { city: 'Secret' },
          },
          metadata: { utm_source: 'podcast', note: 'secret' },
          client_reference_id: 'secret',
          shipping_details: { name: 'Secret' },
          payment_intent: { id: 'pi_1', receipt_email: 'secret@example.com' },
          payment_link: { id: 'plink_1', metadata: { note: 'secret' } },
          anything_new: 'secret',
        }),
      ),
    );
    const kept = redacted(payload, () => false);
    expect(kept).not.toMatch(/secret/i);
    expect(kept.startsWith(redactedStart)).toBe(true);
    expect(factsOf(kept)).toMatchObject({
      payment: 'pi_1',
      facts: [{ source: 'podcast', paymentLink: 'plink_1', tax: 700 }],
    });
    expect(redacted(kept, () => false)).toBe(kept);
  });

  it('redacted keeps the refunds of a charge and no data of an unused event type', () => {
    const refunded = event(
      'charge.refunded',
      charge({
        billing_details: { name: 'Secret' },
        refunds: { data: [refund({ reason: 'secret' })] },
      }),
    );
    const kept = redacted(JSON.stringify(refunded), () => false);
    expect(kept).not.toMatch(/secret/i);
    expect(factsOf(kept).facts).toEqual(factsOf(JSON.stringify(refunded)).facts);
    const customer = event('customer.created', { id: 'cus_1', name: 'Secret' });
    expect(JSON.parse(redacted(JSON.stringify(customer), () => false)).data).toEqual({
      object: {},
    });
  });
});

describe('createSearch', () => {
  const hasEmail = createSearch('da+x.y-z@example.com');
  it.each([
    [true, '{"a":{"b":["da+x.y-z@example.com"]}}'],
    [true, '{"a":"DA+X.Y-Z@EXAMPLE.COM"}'],
    [true, '{"a":"Receipt for <da+x.y-z@example.com>."}'],
    [true, '{"a":"da+x.y-z\\u0040example.com"}'],
    [true, '{"a":"da+x.\\u0000y-z@example.com"}'],
    [false, '{"a":"ada+x.y-z@example.com"}'],
    [false, '{"a":"da+x.y-z@example.com.au"}'],
    [false, '{"a":"da+x.y-z@example.community"}'],
    [false, '{"a":"da+xxy-z@example.com"}'],
  ])('createSearch returns %s for %s', (found, payload) => expect(hasEmail(payload)).toBe(found));
});
