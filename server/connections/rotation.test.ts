/** What becomes of connections when SESSION_SECRET, which encrypts them, changes. */
import { expect, it, vi } from 'vitest';
import { readEnv } from '../env.ts';
import { connectedEnv, openConnections } from '../stores/connected-env.ts';
import { openStores } from '../stores/stores.ts';
import { connectionTests, ownerOf } from '../testing/connections.ts';
import { sqlite } from '../testing/engines.ts';

const { createDatabase, open, openMail } = connectionTests();

const [older, newer] = ['an older secret of sessions', 'a newer secret of sessions'];
const webhookSecret = 'a secret of sixteen characters';

/** Opens sites on one database, each with its own secrets. */
async function openDatabaseOfSites(engine?: typeof sqlite) {
  const env = await createDatabase(engine);
  return {
    env,
    openWith: async (SESSION_SECRET: string | undefined, options: object = {}) => {
      const site = await open({ env: { ...env, SESSION_SECRET }, ...options });
      return { site, ...(await ownerOf(site)) };
    },
    /** The stored connections, for a command. */
    async readWith(SESSION_SECRET: string) {
      const settings = readEnv({ ...env, SESSION_SECRET });
      const stores = await openStores(settings);
      const connections = openConnections(settings, stores);
      return { settings, stores, connections, close: () => stores.close() };
    },
  };
}

it('connections stay readable with the older secret until the night encrypts them anew', async () => {
  const { openWith, readWith } = await openDatabaseOfSites();
  const first = await openWith(older);
  await first.set('calcom', { webhookSecret });
  const rotated = await openWith(`${newer},${older}`);
  expect((await rotated.list()).calcom).toMatchObject({ state: 'browser', hint: '…ters' });
  const command = await readWith(`${newer},${older}`);
  expect(await connectedEnv(command.settings, command.stores)).toMatchObject({
    CAL_WEBHOOK_SECRET: [webhookSecret],
  });
  // An instance that does not have the newer secret yet.
  expect((await first.list()).calcom).toMatchObject({ state: 'browser', hint: '…ters' });
  await command.connections.reencrypt();
  await command.close();
  expect((await (await openWith(newer)).list()).calcom).toMatchObject({ hint: '…ters' });
});

it('an alert names the connections whose secret is missing', async () => {
  const { openWith } = await openDatabaseOfSites();
  await (await openWith(older)).set('calcom', { webhookSecret });
  const { site, list, cookie } = await openWith(newer);
  const { problem } = (await list()).calcom ?? {};
  expect(problem).toMatch(/^What you entered for Cal\.com cannot be read any more/);
  const status = await site.fetch('/api/settings/status', { headers: { cookie } });
  expect(((await status.json()) as { alert: string }).alert).toBe(problem);
});

it('an instance goes on with a connection that another one stored with a secret it does not have', async () => {
  const { openWith } = await openDatabaseOfSites();
  const { site, set, list, cookie } = await openWith(older);
  await set('calcom', { webhookSecret });
  const { set: setThere } = await openWith(`${newer},${older}`);
  await setThere('calcom', { webhookSecret: 'another secret of the webhook' });
  await setThere('calendly', { webhookSecret });
  await vi.waitFor(async () => {
    expect((await list()).calcom?.problem).toMatch(/cannot be read any more/);
  }, 10_000);
  await vi.waitFor(async () => {
    const response = await site.fetch('/api/settings/status', { headers: { cookie } });
    expect(await response.text()).toMatch(/Cal\.com and Calendly cannot be read/);
  }, 10_000);
  // The signature is missing; without the connection it would be 404.
  expect((await site.post('/api/webhooks/cal', {})).status).toBe(400);
});

it('a change that would lose a part of what cannot be read is refused, a whole one is not', async () => {
  const { openWith } = await openDatabaseOfSites();
  const { value, overrides } = await openMail();
  const first = await openWith(older, { overrides });
  await first.set('email', value);
  await first.set('stripe', { webhookSecret: 'whsec_of_the_owner' });
  const { set, list } = await openWith(newer, { overrides });
  const { password, ...withoutPassword } = value;
  for (const [name, partial] of [
    ['email', withoutPassword],
    ['stripe', { key: 'rk_test_1234' }],
  ] as const) {
    const { issues } = await set(name, partial);
    expect(issues?.[0]?.message).toMatch(/cannot be read any more.* disconnect it/);
    expect((await first.list())[name]).toMatchObject({
      state: 'browser',
      hint: expect.any(String),
    });
  }
  expect((await set('email', { ...withoutPassword, password })).status).toBe(200);
  expect((await list()).email?.problem).toBeUndefined();
});

it('calendars that cannot be read are neither added to nor removed from', async () => {
  const { env, openWith } = await openDatabaseOfSites();
  const settings = readEnv({ ...env, SESSION_SECRET: older });
  const stores = await openStores(settings);
  const connections = openConnections(settings, stores);
  const before = await connections.one('busyCalendars');
  const addresses = ['https://calendar.test/secret.ics'];
  const act = { at: 0, act: 'connection_set', browser: null, detail: null } as const;
  await connections.replace('busyCalendars', { before, value: { addresses }, act });
  const { set, clear } = await openWith(newer);
  for (const value of [{ add: 'https://calendar.test/b.ics' }, { remove: 'any' }]) {
    expect((await set('busyCalendars', value)).issues?.[0]?.message).toMatch(/cannot be read/);
  }
  expect((await connections.one('busyCalendars')).value).toEqual({ addresses });
  expect((await clear('busyCalendars')).status).toBe(200);
  expect((await connections.one('busyCalendars')).value).toBeUndefined();
  await stores.close();
});

it('connections stay readable when SESSION_SECRET is set after the secret of the data folder', async () => {
  const { openWith } = await openDatabaseOfSites(sqlite);
  const { site, set } = await openWith(undefined);
  await set('calcom', { webhookSecret });
  await site.close();
  const { list } = await openWith(newer);
  expect((await list()).calcom).toMatchObject({ state: 'browser', hint: '…ters' });
});
