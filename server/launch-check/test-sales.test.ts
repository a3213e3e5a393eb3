import { expect, it } from 'vitest';
import { run } from '../database/database.ts';
import { knownSchema, schemaVersion } from '../database/migrate.ts';
import { openSqlite } from '../database/sqlite/sqlite.ts';
import { readEnv } from '../env.ts';
import { eventOf } from '../sales/stripe/facts.ts';
import { databaseFile } from '../stores/data-folder.ts';
import { engines } from '../testing/engines.ts';
import { event, session, timeOf } from '../testing/stripe/events.ts';
import { countTestSales, hasReportKey } from './stored-sales.ts';
import { testSaleFindings } from './test-sales.ts';

const findingsOf = (variables: Record<string, string>) =>
  testSaleFindings(() => countTestSales(readEnv(variables)));

it.each(engines)('test sales are counted on $name', async (engine) => {
  const database = await engine.create();
  const findings = () => findingsOf(database.env);
  expect(await findings()).toEqual([]);
  const stores = await database.open();
  for (const livemode of [true, false]) {
    const paid = session({ payment_intent: `pi_${livemode}` });
    const body = { ...event('checkout.session.completed', paid), livemode };
    const payload = JSON.stringify(body);
    await stores.payments.receive({ event: eventOf(body), payload, receivedAt: timeOf() });
  }
  expect(await findings()).toMatchObject([
    {
      kind: 'advice',
      where: 'Test payments',
      text: expect.stringMatching(/^are counted: 1 sale\. They are deleted/),
    },
  ]);
  await stores.close();
  await database.remove();
});

it.each(engines)('an API key that reports sales is found on $name', async (engine) => {
  const database = await engine.create();
  const isFound = () => hasReportKey(readEnv(database.env));
  const stores = await database.open();
  const key = { name: '', hash: '', createdAt: 1, usedAt: null };
  await stores.keys.add({ ...key, id: 'a', scopes: ['read:messages'] });
  expect(await isFound()).toBe(false);
  await stores.keys.add({ ...key, id: 'b', scopes: ['read:analytics', 'write:conversions'] });
  expect(await isFound()).toBe(true);
  await stores.close();
  await database.remove();
});

it('launch check leaves a database of another schema as it is', async () => {
  const [sqlite] = engines;
  const database = await sqlite?.create();
  const stores = await database?.open();
  await stores?.close();
  const env = readEnv(database?.env ?? {});
  const file = openSqlite(databaseFile(env.DATA_DIR));
  await file.write(() => run(`DELETE FROM schema_version WHERE version = ${schemaVersion}`));
  await file.close();
  expect(await findingsOf(database?.env ?? {})).toMatchObject([
    { kind: 'unknown', where: 'Test payments' },
  ]);
  const again = openSqlite(databaseFile(env.DATA_DIR));
  expect(again.readNow(() => knownSchema())).toBe(schemaVersion - 1);
  await again.close();
  await database?.remove();
});

it('launch check before the first start has no test sales', async () => {
  expect(await findingsOf({ DATA_DIR: '/nowhere/at/all' })).toEqual([]);
  expect(await hasReportKey(readEnv({ DATA_DIR: '/nowhere/at/all' }))).toBe(false);
});
