import { expect, it } from 'vitest';
import { createLog } from '../../log.ts';
import { freshStores } from '../../testing/engines.ts';
import { event, session, timeOf } from '../../testing/stripe/events.ts';
import { createIngest } from './ingest.ts';
import { createRebuild } from './rebuild.ts';

const { stores } = freshStores();
const log = createLog('silent', { pretty: false });

it('test payments count until the site is public, and are deleted then', async () => {
  const options = { store: stores.payments, sales: stores.sales, now: () => timeOf(), log };
  const paid = { ...event('checkout.session.completed', session()), livemode: false };
  await createIngest({ ...options, acceptsTestPayments: true })(paid, JSON.stringify(paid));
  for (const [acceptsTestPayments, conversions] of [
    [true, 1],
    [false, 0],
    [true, 0],
  ] as const) {
    const rebuild = createRebuild({ ...options, acceptsTestPayments });
    rebuild.start();
    const totals = () => stores.analytics.totals({ from: 0, to: timeOf(1) });
    await expect.poll(totals).toMatchObject({ conversions });
    await rebuild.stop();
    expect(await totals()).toMatchObject({ conversions });
  }
});

it('failure is logged, and stopping does not reject', async () => {
  const errors: unknown[] = [];
  const rebuild = createRebuild({
    store: { ...stores.payments, deleteTests: () => Promise.reject(new Error('disk full')) },
    sales: stores.sales,
    acceptsTestPayments: false,
    log: { ...log, error: (fields: unknown) => void errors.push(fields) } as typeof log,
  });
  rebuild.start();
  await rebuild.stop();
  expect(errors).toMatchObject([{ error: { message: 'disk full' } }]);
});
