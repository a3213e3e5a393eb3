/** The emails about changes that a thief could have made, to a real mail server. */
import { describe, expect, it, vi } from 'vitest';
import { routes } from '../contract/routes.ts';
import { columns } from '../database/columns.ts';
import { all } from '../database/database.ts';
import { sql } from '../database/sql.ts';
import { connectionTests, ownerOf } from '../testing/connections.ts';
import { engines, openDatabase } from '../testing/engines.ts';
import { filled } from '../testing/filled-config.ts';
import type { TestSite } from '../testing/site.ts';
import type { TestSmtp } from '../testing/smtp.ts';

const { createDatabase, open, openMail } = connectionTests();

const env = { PUBLIC_URL: 'https://www.my-domain.com' };

/** The notices that arrived: their subjects, recipients and texts. */
const noticesOf = ({ emails }: TestSmtp) =>
  emails
    .filter(({ subject }) => subject?.startsWith('Changed on your site: '))
    .map(({ subject = '', to = [], text = '' }) => ({
      change: subject.replace('Changed on your site: ', ''),
      to: to.map(({ address }) => address),
      text,
    }));

const changesOf = (smtp: TestSmtp, pattern: RegExp) =>
  noticesOf(smtp).filter(({ change }) => pattern.test(change));

const arrived = (smtp: TestSmtp, change: string, to = 'owner@my-domain.com') =>
  vi.waitFor(
    () => expect(noticesOf(smtp)).toContainEqual(expect.objectContaining({ change, to: [to] })),
    10_000,
  );

async function publish(site: TestSite, cookie: string, path: string, to: string) {
  const call = async (name: string, body: object) =>
    (await site.post(`/api/site/${name}`, body, { cookie })).json() as Promise<{
      revision: number;
    }>;
  const from = path.split('.').reduce((at: unknown, key) => Reflect.get(at as object, key), filled);
  const { revision } = await call('draft', { patches: [{ path, from, to }] });
  expect(await call('publish', { revision })).toMatchObject({ version: expect.any(Number) });
}

describe.each(engines)('on $name', (engine) => {
  /** A site whose mail server was set in the browser. */
  async function openConnected(others: number[] = [], now?: () => number) {
    const { smtp, value, overrides } = await openMail();
    const smtpPorts = [...overrides.smtpPorts, ...others];
    const database = await createDatabase(engine);
    const site = await open({
      ...{ env: { ...env, ...database }, overrides: { smtpPorts } },
      ...(now && { now }),
    });
    const owner = await ownerOf(site);
    expect((await owner.set('email', value)).status).toBe(200);
    return { smtp, value, database, site, ...owner };
  }

  it('a notice says what was changed, when, from which browser and how to undo it', async () => {
    const { smtp, site, cookie, set, clear } = await openConnected();
    const webhookSecret = 'a secret of sixteen characters';
    await set('calcom', { webhookSecret });
    await arrived(smtp, 'Connected or changed: Cal.com');
    await clear('calcom');
    await arrived(smtp, 'Disconnected: Cal.com');
    await site.post('/api/keys', { name: 'Shop', scopes: ['read:messages'] }, { cookie });
    await vi.waitFor(() => {
      expect(noticesOf(smtp).at(-1)?.change).toMatch(/^API key created: shingle_/);
    }, 10_000);
    await site.post('/api/people/erase', { email: 'ada@example.com' }, { cookie });
    await arrived(smtp, 'Person erased: no data found');
    await site.fetch('/api/people/export?email=ada@example.com', { headers: { cookie } });
    await arrived(smtp, 'Data of a person downloaded');
    for (const { text } of noticesOf(smtp)) expect(text).not.toContain('npm run');
    expect(JSON.stringify(noticesOf(smtp))).not.toContain('ada@');
    const [{ text } = { text: '' }] = noticesOf(smtp);
    expect(text).toMatch(/Change: +Connected or changed: Cal\.com/);
    expect(text).toMatch(/Time: +\w{3}, \d\d \w{3} 20\d\d .* GMT/);
    expect(text).toMatch(/Browser: +Chrome on Linux/);
    expect(text).toMatch(/sign in, undo it there/);
    expect(text).toContain(`${env.PUBLIC_URL}/analytics/settings/booking-services`);
    expect(text).not.toContain(webhookSecret);
  });

  it('a notice of another mail server goes over the one before, to the address before', async () => {
    const next = await openMail('the password of another server');
    const { smtp, set, clear } = await openConnected(next.overrides.smtpPorts);
    await set('email', { ...next.value, to: ['thief@other.test'] });
    expect(noticesOf(smtp)).toMatchObject([
      { change: 'Connected or changed: the mail server', to: ['owner@my-domain.com'] },
    ]);
    expect(noticesOf(next.smtp)).toEqual([]);
    await clear('email');
    expect(noticesOf(next.smtp)).toMatchObject([
      { change: 'Disconnected: the mail server', to: ['thief@other.test'] },
    ]);
  });

  it('notices that still wait go over the mail server before, each once', async () => {
    const next = await openMail('the password of another server');
    // All in one millisecond: what a worker is sending must not be taken for what waits.
    const at = Date.now();
    const { smtp, site, cookie, set } = await openConnected(next.overrides.smtpPorts, () => at);
    const { path } = routes['keys.create'];
    for (let n = 0; n < 7; n++) {
      await site.post(path, { name: 'Shop', scopes: ['read:messages'] }, { cookie });
    }
    await set('email', next.value);
    await vi.waitFor(() => {
      const created = [smtp, next.smtp].map((one) => changesOf(one, /^API key created/));
      expect(created.map(({ length }) => length)).toEqual([7, 0]);
    }, 10_000);
  });

  it('notices that wait for a later try go over the mail server before once more', async () => {
    const next = await openMail('the password of another server');
    const { smtp, database, set } = await openConnected(next.overrides.smtpPorts);
    smtp.setBehaviour('defer');
    await set('calcom', { webhookSecret: 'a secret of sixteen characters' });
    const beside = await openDatabase({ env: database });
    const isDeferred = sql`SELECT ${columns('outbox', 'id')} FROM outbox WHERE deferrals > 0`;
    await vi.waitFor(
      async () => expect(await beside.read(() => all(isDeferred))).toHaveLength(1),
      10_000,
    );
    await beside.close();
    smtp.setBehaviour('accept');
    await set('email', next.value);
    expect(changesOf(smtp, /Cal\.com$/)).toHaveLength(1);
    expect(noticesOf(next.smtp)).toEqual([]);
  });

  it('a notice that the mail server before does not take goes over the next one', async () => {
    const next = await openMail('the password of another server');
    const { smtp, set } = await openConnected(next.overrides.smtpPorts);
    await smtp.close();
    await set('email', { ...next.value, to: ['owner@other.test'] });
    await arrived(next.smtp, 'Connected or changed: the mail server', 'owner@my-domain.com');
  });

  it('a notice of another address of the owner goes to the one before', async () => {
    const { smtp, value, site, cookie, set } = await openConnected();
    const { to: _, ...server } = value;
    await set('email', server);
    await publish(site, cookie, 'brand.email', 'thief@other.test');
    await arrived(smtp, 'Published: 1 change, brand.email', filled.brand.email);
    await publish(site, cookie, 'hero.title', 'Nothing that a thief would want');
    await publish(site, cookie, 'links.checkout', 'https://buy.stripe.com/other');
    await arrived(smtp, 'Published: 1 change, links.checkout', 'thief@other.test');
    expect(noticesOf(smtp).filter(({ change }) => change.startsWith('Published'))).toHaveLength(2);
  });
});

it('a notice of a new password names the command that sets another one', async () => {
  const { smtp } = await openMail();
  const url = new URL(smtp.url);
  Object.assign(url, { username: 'me%40my-domain.com', password: 'app%20password' });
  const site = await open({
    env: { SMTP_URL: url.href, CONTACT_TO: 'owner@my-domain.com', ADMIN_PASSWORD: undefined },
  });
  const { cookie } = await ownerOf(site);
  const next = { currentPassword: site.password, newPassword: 'quite another long password' };
  expect((await site.post('/api/admin/password', next, { cookie })).status).toBe(200);
  await arrived(smtp, 'Password changed');
  expect(noticesOf(smtp)[0]?.text).toContain('npm run admin -- password');
});
