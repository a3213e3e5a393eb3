/**
 * Made-up visitors and buyers, for the command `demo` and for a dashboard without figures of its own: the same
 * seed and time give the same ones.
 */

import { type ButtonName, buttonNames } from '../button-names.ts';
import { viewTimes } from './rhythm.ts';
import { picker, quota, type Random, seeded } from './seeded.ts';

export interface SampleOptions {
  /** Exact number of views, clicks, booked calls and opened checkouts together. */
  events: number;
  days: number;
  seed: string;
  /** Of the sales. */
  currency: string;
  /** Every event lies before this time; milliseconds since 1970, UTC. */
  now: number;
}

/** An event; `at` in milliseconds since 1970, UTC. */
export interface SampleEvent {
  activity: 'page_view' | 'cta_click' | 'call_booked' | 'checkout_open';
  button: ButtonName | null;
  /** A source or campaign by its path; null is a direct visit. */
  source: string | null;
  at: number;
}

/** A sale; amounts in the unit that Stripe uses for their currency. */
export interface SampleSale {
  id: string;
  at: number;
  amount: number;
  refunded: number;
  disputed: number;
  currency: string;
  email: string | null;
  source: string | null;
  firstSource: string | null;
  button: ButtonName;
}

export interface Batch {
  events: SampleEvent[];
  sales: SampleSale[];
}

const dayMs = 24 * 60 * 60_000;

const batchSize = 20_000;

const second = 1000;

/** Rates per page view. */
const clickRate = 0.12;
const callRate = 0.02;
const checkoutRate = 0.045;
const saleRate = 0.02;

/** Yields the activity in batches, nearly in order; holds one batch in memory. */
export function* sampleActivity({
  events,
  days,
  seed,
  currency,
  now,
}: SampleOptions): Generator<Batch> {
  const random = seeded(seed);
  const perView = 1 + clickRate + callRate + checkoutRate;
  // Vary the round rates by up to 5%, so that they look real.
  const some = (rate: number) => Math.round(((events * rate) / perView) * (0.95 + 0.1 * random()));
  const [clicks, calls, checkouts] = [some(clickRate), some(callRate), some(checkoutRate)];
  const views = events - clicks - calls - checkouts;
  const wanted = Math.round(views * saleRate * (0.95 + 0.1 * random()));
  const sales = Math.min(checkouts, wanted);

  const doesClick = quota(random, { yes: clicks, of: views });
  const doesBook = quota(random, { yes: calls, of: clicks });
  const doesOpen = quota(random, { yes: checkouts, of: clicks });
  const doesBuy = quota(random, { yes: sales, of: checkouts });
  const button = picker(random, buttonWeights);
  const pickSource = sourcePicker(random);
  const createSale = saleGenerator(random, currency);
  const later = (at: number, [min, max]: [number, number], end: number) =>
    Math.min(end - 1, at + Math.floor((min + random() * (max - min)) * second));

  let batch: Batch = { events: [], sales: [] };
  for (const at of viewTimes(random, { n: views, days, now })) {
    const source = pickSource();
    batch.events.push({ activity: 'page_view', button: null, source, at });
    if (doesClick()) {
      // Visitors are counted per UTC day, so what follows a view stays on its day.
      const end = Math.min(now, (Math.floor(at / dayMs) + 1) * dayMs);
      const clicked = later(at, [4, 240], end);
      const opens = doesOpen();
      const pressed = opens ? 'audit' : button();
      batch.events.push({ activity: 'cta_click', button: pressed, source, at: clicked });
      if (doesBook()) {
        const booked = later(clicked, [30, 300], end);
        batch.events.push({ activity: 'call_booked', button: button(), source, at: booked });
      }
      if (opens) {
        const opened = later(clicked, [5, 180], end);
        batch.events.push({ activity: 'checkout_open', button: null, source, at: opened });
        if (doesBuy()) batch.sales.push(createSale(later(opened, [40, 600], now), source));
      }
    }
    if (batch.events.length >= batchSize) {
      yield batch;
      batch = { events: [], sales: [] };
    }
  }
  if (batch.events.length > 0) yield batch;
}

/** The hero's call-to-action is clicked most, the one at the foot of the page least; that of the audit by its buyers. */
const buttonWeights = Object.fromEntries(
  buttonNames.map((name, i) => [
    name,
    name === 'audit' ? 0 : name === 'hero' ? 3 : 1 / (1 + i / 4),
  ]),
) as Record<ButtonName, number>;

/** Prices in cents with their weights: the launch price, the price, and the audit with a call. */
const amounts = { '4900': 5, '9700': 12, '14700': 3 };
const sources = {
  'newsletter/email/welcome': 11,
  'newsletter/email/case-study': 7,
  'newsletter/email/spring-sale': 5,
  newsletter: 3,
  instagram: 13,
  'instagram/social/reels': 6,
  linkedin: 15,
  google: 7,
  'google/cpc/brand': 4,
  podcast: 7,
  referral: 5,
  direct: 17,
};
const firstNames =
  'ada ben carla dev elena femi grace hugo ines jonas kira liam maya noor omar petra quinn rosa sam tara uma victor wren yara zoe'.split(
    ' ',
  );
const lastNames =
  'abbott brandt costa diaz evans fischer grant haddad ito jensen kaur lopez meyer novak okafor park reyes silva tran ueda varga weber young zhou'.split(
    ' ',
  );

/** Picks a visitor's source; null is direct. */
function sourcePicker(random: Random): () => string | null {
  const pick = picker(random, sources);
  return () => {
    const source = pick();
    return source === 'direct' ? null : source;
  };
}

function saleGenerator(
  random: Random,
  currency: string,
): (at: number, source: string | null) => SampleSale {
  const amount = picker(random, amounts);
  const oneOf = (names: string[]) => names[Math.floor(random() * names.length)] ?? '';
  let n = 0;
  return (at, source) => {
    n += 1;
    const name = `${oneOf(firstNames)}.${oneOf(lastNames)}${Math.floor(random() * 90) + 10}`;
    const price = Number(amount());
    // 2% of sales are refunded, 1% are refunded in part, and 0.5% are disputed.
    const outcome = random();
    const refunded = outcome < 0.02 ? price : outcome < 0.03 ? Math.round(price / 4) : 0;
    return {
      id: `demo-${String(n).padStart(7, '0')}`,
      at,
      amount: price,
      refunded,
      disputed: outcome > 0.995 ? price : 0,
      currency,
      email: random() < 0.1 ? null : `${name}@example.com`,
      source,
      firstSource: source,
      button: 'audit',
    };
  };
}
