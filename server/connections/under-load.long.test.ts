/** Connections change while messages, payments and bookings come in: what was acknowledged is kept, once. */
import { setTimeout as pause } from 'node:timers/promises';
import { expect, it } from 'vitest';
import { connectionTests, ownerOf } from '../testing/connections.ts';
import { engines } from '../testing/engines.ts';
import type { TestSite } from '../testing/site.ts';
import { event, ofPayment, session, signed } from '../testing/stripe/events.ts';

const { closed, open, openMail } = connectionTests();

const perSecond = 100;
const seconds = 60;
const total = perSecond * seconds;
/** An owner may try twenty connections in ten minutes. */
const rounds = 8;

/** Signing secrets that the owner sets by turns. */
const secrets = ['whsec_first4aZ7xLm2Vd', 'whsec_second9tQ0aZ7x'] as const;

it.each(engines)(
  `${perSecond} messages and payments a second and bookings are kept once while email and Stripe change for ${seconds} s, on $name`,
  async (engine) => {
    const mail = [await openMail(), await openMail('other password')] as const;
    const database = await engine.create();
    closed({ close: database.remove });
    const overrides = { smtpPorts: mail.map(({ value }) => value.port) };
    const openOne = () => open({ env: database.env, overrides });
    const first = await openOne();
    // Only PostgreSQL can have several instances.
    const sites = engine.name === 'PostgreSQL' ? [first, await openOne()] : [first];
    const siteOf = (n: number) => sites[n % sites.length] as TestSite;
    const from = (n: number) => ({
      'x-forwarded-for': `10.${n >> 16}.${(n >> 8) & 255}.${n & 255}`,
    });
    const { set, clear } = await ownerOf(first);

    const acknowledged = { messages: new Set<string>(), bookings: new Set<string>() };
    const send = async (n: number) => {
      const name = `Visitor ${n}`;
      const body = { name, email: `visitor-${n}@my-host.com`, message: `Hello from ${name}` };
      const response = await siteOf(n).post('/api/contact', body, from(n));
      if (response.ok) acknowledged.messages.add(name);
    };
    /** Like Stripe, until the site takes it; each try is signed by the other secret. */
    const deliver = async (n: number) => {
      const body = JSON.stringify(
        ofPayment([event('checkout.session.completed', session(), n)], n)[0],
      );
      for (let tries = 0; ; tries++) {
        const headers = { 'stripe-signature': signed(body, { key: secrets[tries % 2] }) };
        const { ok } = await siteOf(n + tries).post('/api/webhooks/stripe', body, headers);
        if (ok) return;
        await pause(100 * tries);
      }
    };
    const book = async (n: number) => {
      const slots = await siteOf(n).fetch('/api/booking/slots?call=strategy-call&timeZone=UTC');
      const { days } = (await slots.json()) as { days: { slots: string[] }[] };
      const start = days.flatMap(({ slots }) => slots)[0];
      const email = `caller-${n}@my-host.com`;
      const call = { call: 'strategy-call', start, name: `Caller ${n}`, email };
      const response = await siteOf(n).post('/api/bookings', call, from(total + n));
      if (response.ok) acknowledged.bookings.add(email);
    };

    const connect = async (name: string, value: object) =>
      expect(await set(name, value)).toMatchObject({ status: 200 });
    const connectBoth = async (round: number) => {
      await connect('email', mail[round % 2]?.value ?? {});
      await connect('stripe', { webhookSecret: secrets[round % 2] });
    };
    /** Disconnects both, and connects the other ones. */
    const change = async (round: number) => {
      await Promise.all(['email', 'stripe'].map(clear));
      await pause(500);
      await connectBoth(round);
    };

    await connectBoth(0);
    let changing = Promise.resolve();
    const sending = new Set<Promise<void>>();
    const start = (request: Promise<void>) => {
      sending.add(request);
      void request.finally(() => sending.delete(request));
    };
    for (let n = 0; n < total; n++) {
      start(send(n));
      start(deliver(n));
      if (n % (10 * perSecond) === 0) start(book(n));
      const round = (n * rounds) / total;
      if (Number.isInteger(round)) changing = changing.then(() => change(round + 1));
      await pause(1000 / perSecond);
      // A slower machine takes longer, not more at once.
      while (sending.size > 2 * perSecond) await Promise.race(sending);
    }
    await changing;
    await Promise.all(sending);

    const stores = await database.open();
    const messages = (await stores.contact.list({ limit: 2 * total })).map(({ name }) => name);
    const bookings = await stores.bookings.list({ state: 'upcoming', now: 0, limit: 1000 });
    const { conversions } = await stores.analytics.totals({ from: 0, to: Date.now() + 86_400_000 });
    await stores.close();
    expect(new Set(messages).size).toBe(messages.length);
    expect([...acknowledged.messages].filter((name) => !messages.includes(name))).toEqual([]);
    expect(conversions).toBe(total);
    const callers = bookings.map(({ email }) => email);
    expect(new Set(callers).size).toBe(callers.length);
    expect([...acknowledged.bookings].filter((email) => !callers.includes(email))).toEqual([]);

    const subjects = mail.flatMap(({ smtp }) => smtp.emails.map(({ subject = '' }) => subject));
    const ofMessages = subjects.filter((subject) => subject.startsWith('Message from'));
    expect(new Set(ofMessages).size).toBe(ofMessages.length);
    console.info(
      `${engine.name}: ${acknowledged.messages.size} messages, ${total} payments and ${acknowledged.bookings.size} bookings acknowledged; ` +
        `${messages.length}, ${conversions} and ${bookings.length} kept; ${ofMessages.length} messages emailed`,
    );
  },
  600_000,
);
