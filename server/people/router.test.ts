import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { addBooking, newBooking } from '../testing/booking.ts';
import { engines } from '../testing/engines.ts';
import { sampleMessage } from '../testing/message.ts';
import { sampleSale } from '../testing/sale.ts';
import { openTestSite, password, signIn, type TestSite } from '../testing/site.ts';

const ada = 'ada@example.com';
const minute = 60_000;

describe.each(engines)('on $name', (engine) => {
  let database: Awaited<ReturnType<typeof engine.create>>;
  let site: TestSite;
  let cookie: string;
  let clock: number;
  beforeEach(async () => {
    clock = Date.now();
    database = await engine.create();
    const stores = await database.open();
    for (const [id, email, days] of [
      ['a', ada, 1],
      ['b', 'bob@example.com', 2],
    ] as const) {
      await stores.contact.add(sampleMessage({ id, email, receivedAt: clock }));
      const start = clock + days * 24 * 60 * minute;
      await addBooking(stores.bookings, newBooking({ start, email }));
      await stores.sales.report(sampleSale({ id, email, at: clock }));
    }
    await stores.close();
    site = await openTestSite({ env: database.env, now: () => clock });
    cookie = await signIn(site);
  });
  afterEach(async () => {
    await site.close();
    await database.remove();
  });

  const get = async (path: string, email = ada) => {
    const query = `?email=${encodeURIComponent(email)}`;
    const response = await site.fetch(path + query, { headers: { cookie } });
    return { status: response.status, body: await response.json() };
  };
  const erase = async (email = ada) => {
    const response = await site.post('/api/people/erase', { email }, { cookie });
    return { status: response.status, body: await response.json() };
  };
  const acts = async () => {
    const response = await site.fetch('/api/admin/log', { headers: { cookie } });
    return ((await response.json()) as { entries: object[] }).entries;
  };
  const counts = (n: number) => ({
    ...{ messages: n, calls: n, upcomingCalls: n, sales: n, stripeEvents: 0 },
  });

  it('people.find counts what is stored of one person, in any spelling of the address', async () => {
    expect(await get('/api/people', ' Ada@Example.com ')).toEqual({ status: 200, body: counts(1) });
    expect((await get('/api/people', 'eve@example.com')).body).toEqual(counts(0));
    expect((await site.fetch(`/api/people?email=${ada}`)).status).toBe(401);
    expect(await get('/api/people', 'ada')).toMatchObject({
      status: 400,
      body: { issues: [{ message: 'Please enter the email address of the person.' }] },
    });
  });

  it('people.find counts the calls to come, without those that have begun or were cancelled', async () => {
    const stores = await database.open();
    const booking = newBooking({ start: clock + minute, email: ada, state: 'cancelled' });
    await addBooking(stores.bookings, booking);
    await stores.close();
    expect((await get('/api/people')).body).toMatchObject({ calls: 2, upcomingCalls: 1 });
    clock += 24 * 60 * minute;
    cookie = await signIn(site);
    expect((await get('/api/people')).body).toMatchObject({ calls: 2, upcomingCalls: 0 });
  });

  it('people.export returns all data of one person, and is logged without the address', async () => {
    const { status, body } = await get('/api/people/export');
    expect(status).toBe(200);
    expect(body).toMatchObject({
      email: ada,
      messages: [{ id: 'a', receivedAt: new Date(clock).toISOString() }],
      bookings: [{ email: ada }],
      sales: [{ id: 'a', email: ada }],
      stripeEvents: [],
    });
    expect(JSON.stringify(body)).not.toContain('bob');
    const entries = await acts();
    expect(entries).toContainEqual(expect.objectContaining({ act: 'person_exported' }));
    expect(JSON.stringify(entries)).not.toContain('ada');
  });

  it('people.erase erases one person, keeps their sales, and is logged without the address', async () => {
    expect(await erase()).toEqual({ status: 200, body: { ...counts(1), isWiped: true } });
    expect((await get('/api/people')).body).toEqual(counts(0));
    expect((await get('/api/people', 'bob@example.com')).body).toEqual(counts(1));
    clock += minute;
    const response = await site.fetch('/api/analytics/sales.csv', { headers: { cookie } });
    const csv = await response.text();
    expect(csv.trim().split('\n')).toHaveLength(3);
    expect(csv).not.toContain(ada);
    const entries = await acts();
    expect(entries).toContainEqual(
      expect.objectContaining({
        act: 'person_erased',
        detail: '1 message, 1 booking, 1 sale and 0 Stripe events',
      }),
    );
    expect(JSON.stringify(entries)).not.toContain('ada');
  });

  it('people.export and people.erase ask for the password after ten minutes, people.find does not', async () => {
    clock += 11 * minute;
    const refused = { status: 403, body: { code: 'CONFIRM_PASSWORD' } };
    expect((await get('/api/people')).status).toBe(200);
    expect(await get('/api/people/export')).toMatchObject(refused);
    expect(await erase()).toMatchObject(refused);
    expect((await get('/api/people')).body).toEqual(counts(1));
    await site.post('/api/admin/confirm', { password }, { cookie });
    expect((await get('/api/people/export')).status).toBe(200);
    expect((await erase()).status).toBe(200);
  });

  it('people.export and people.erase are refused to another site’s page', async () => {
    const headers = { cookie, origin: 'https://evil.example' };
    const exported = await site.fetch(`/api/people/export?email=${ada}`, { headers });
    expect(exported.status).toBe(403);
    const erased = await site.post('/api/people/erase', { email: ada }, headers);
    expect(erased.status).toBe(403);
    expect((await get('/api/people')).body).toEqual(counts(1));
  });
});
