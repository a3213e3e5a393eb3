/**
 * The server prints no password, cookie or message, whatever fails. It prints network addresses only for
 * sign-in attempts.
 */
import { rm } from 'node:fs/promises';
import { DatabaseSync } from '@photostructure/sqlite';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { databaseFile } from '../../stores/data-folder.ts';
import { openTestSmtp, type TestSmtp } from '../smtp.ts';
import { signed } from '../stripe/events.ts';
import { requestOf, sendRaw, type WireResponse } from '../wire.ts';
import { type ServerProcess, seededFolder, startServer } from './server-process.ts';

const password = 'mark-password-7c1e';
const address = '203.0.113.77';
const secrets = {
  password,
  guess: 'mark-guess-2f9b',
  link: 'mark-link-90d7',
  smtp: 'mark-smtp-41aa',
  webhook: 'whsec_mark51d0',
  conversionKey: 'mark-conversion-key-88',
  metricsKey: 'mark-metrics-key-0c41',
  sessionSecret: 'mark-session-secret-3e',
  message: 'mark-message-6ac2',
  email: 'mark-email-9d03@example.com',
  name: 'mark-name-b714',
  cookie: 'mark-cookie-e5f1',
  agent: 'mark-agent-0c6d',
  query: 'mark-query-5b92',
  buyer: 'mark-buyer-d2c8@example.com',
  address,
};

let folder: string;
let server: ServerProcess;
let mail: TestSmtp;
beforeAll(async () => {
  folder = await seededFolder(password);
  mail = await openTestSmtp({ password: secrets.smtp });
  mail.setBehaviour('reject and quote');
  server = await startServer({
    DATA_DIR: folder,
    ADMIN_PASSWORD: password,
    LOG_LEVEL: 'trace',
    TRUST_PROXY: '1',
    SESSION_SECRET: secrets.sessionSecret,
    STRIPE_WEBHOOK_SECRET: secrets.webhook,
    CONVERSION_KEY: secrets.conversionKey,
    METRICS_KEY: secrets.metricsKey,
    SMTP_URL: mail.url.replace('//', `//owner:${secrets.smtp}@`),
    CONTACT_TO: 'owner@example.com',
  });
});
afterAll(async () => {
  server.child.kill('SIGTERM');
  await server.ended;
  await mail.close();
  await rm(folder, { recursive: true });
});

const json = { 'Content-Type': 'application/json' };
const form = { 'Content-Type': 'application/x-www-form-urlencoded' };
const about = {
  'X-Forwarded-For': address,
  'User-Agent': secrets.agent,
  Cookie: `session=${secrets.cookie}; session.sig=${secrets.cookie}; device=${secrets.cookie}`,
  Referer: `https://a.example/?${secrets.query}`,
};
const send = (
  method: string,
  path: string,
  headers: Record<string, string> = {},
  body: unknown = '',
): Promise<WireResponse> => {
  const text = typeof body === 'string' ? body : JSON.stringify(body);
  return sendRaw(server.origin, requestOf(method, path, { ...about, ...headers }, text));
};

const hello = { name: secrets.name, email: secrets.email, message: secrets.message };
const bearer = { ...json, Authorization: `Bearer ${secrets.conversionKey}` };
const sale = { id: 'order', amount: 100, currency: 'USD', email: secrets.buyer };
const checkout = JSON.stringify({
  id: 'evt_1',
  type: 'checkout.session.completed',
  created: 1_790_000_000,
  livemode: false,
  data: {
    object: {
      id: 'cs_1',
      payment_intent: 'pi_1',
      payment_status: 'paid',
      amount_total: 100,
      currency: 'usd',
      customer_email: secrets.buyer,
    },
  },
});
const delivery = (body: string) =>
  send(
    'POST',
    '/api/webhooks/stripe',
    { ...json, 'Stripe-Signature': signed(body, { key: secrets.webhook }) },
    body,
  );

/** The API keys of the test. */
const apiKeys: string[] = [];

/** Creates an API key, and sends it: as it is, in a call that it must not make, and with a wrong end. */
async function useApiKeys(): Promise<WireResponse[]> {
  const signedIn = await send('POST', '/api/admin/login', { ...json, Cookie: '' }, { password });
  const cookie = [...signedIn.raw.matchAll(/^set-cookie: ([^;]+)/gim)].map(([, one]) => one);
  const owner = { ...json, Cookie: cookie.join('; ') };
  const created = await send('POST', '/api/keys', owner, {
    name: 'Shop',
    scopes: ['read:messages'],
  });
  const [key] = /shingle_[0-9a-f]{48}/.exec(created.raw) ?? [];
  if (key !== undefined) apiKeys.push(key);
  const keys = [...apiKeys, ...apiKeys.map((one) => `${one.slice(0, -4)}mark`)];
  const sent = keys.flatMap((one) =>
    ['/api/messages', '/api/bookings', '/api/trpc/contact.messages', '/api/messages.csv'].map(
      (path) => send('GET', path, { Authorization: `Bearer ${one}` }),
    ),
  );
  return [signedIn, created, ...(await Promise.all(sent))];
}

/** Every way of being refused, and of succeeding, with something to hide. */
const everything = async (): Promise<number[]> => {
  const responses = [
    await send('POST', '/api/contact', json, hello),
    await send('POST', '/api/trpc/contact.submit', json, hello),
    await send('POST', '/api/contact', form, `${new URLSearchParams(hello)}`),
    await send('POST', '/api/contact', json, { ...hello, email: secrets.name }),
    await send('POST', '/api/contact', json, `{"message":"${secrets.message}`),
    await send('POST', '/api/contact', { ...json, Origin: 'https://evil.example' }, hello),
    await send('POST', '/api/contact', json, secrets.message.repeat(70_000)),
    await send('POST', '/api/contact', { 'Content-Type': 'text/plain' }, secrets.message),
    await send('POST', '/api/admin/login', json, { password: secrets.guess }),
    await send('POST', '/api/trpc/auth.login', json, { password: secrets.guess }),
    await send('POST', '/api/admin/login', json, { password }),
    await send('POST', '/api/admin/login', json, { password: [password] }),
    await send('POST', '/api/admin/sign-in-link', json, { token: secrets.link }),
    await send('POST', '/api/admin/logout'),
    await send('POST', '/api/activity', json, {
      type: 'page_view',
      search: `?ref=${secrets.query}`,
    }),
    await send('POST', '/api/conversions', bearer, sale),
    await send('POST', '/api/conversions', { ...json, Authorization: `Bearer x` }, sale),
    await delivery(checkout),
    await delivery(`{"id":"${secrets.buyer}"}`),
    await delivery(secrets.buyer),
    ...(await useApiKeys()),
    await send('GET', `/api/analytics/dashboard?startDate=${secrets.query}`),
    await send('GET', `/api/analytics/sales.csv?startDate=${secrets.query}`),
    await send('GET', '/metrics', { Authorization: `Bearer ${secrets.metricsKey}` }),
    await send('GET', `/nowhere?${secrets.query}`),
    await send('GET', `/%ff?${secrets.query}`),
    await send('GET', `/readyz?${secrets.query}`),
    await sendRaw(server.origin, `${secrets.message}\r\n\r\n`),
    await send('GET', '/', { 'X-Long': secrets.cookie.repeat(2000) }),
  ];
  return responses.map(({ status }) => status);
};

it('the server prints no password, cookie or message, with and without a working database', async () => {
  const statuses = await everything();
  for (const status of [200, 204, 400, 401, 403, 404, 413, 415, 431]) {
    expect(statuses).toContain(status);
  }
  // The mail server has quoted the visitor: that is for the dashboard, its numbers are for the log.
  await expect.poll(() => server.output(), { timeout: 20_000 }).toContain('EMESSAGE 550 5.7.1');
  const database = new DatabaseSync(databaseFile(folder), { timeout: 10_000 });
  const errors = database.prepare('SELECT error FROM outbox WHERE error IS NOT NULL').all();
  expect(JSON.stringify(errors)).toContain(`${secrets.name} <${secrets.email}>`);

  for (const table of [
    'contact_message',
    'outbox',
    'conversion',
    'payment_event',
    'event',
    'counter',
    'api_key',
  ]) {
    database.exec(`DROP TABLE ${table}`);
  }
  database.exec('DROP TABLE admin_credential');
  database.close();
  const broken = await everything();
  expect(broken.filter((status) => status === 500).length).toBeGreaterThan(6);

  const output = server.output();
  expect(output.match(/"request failed"/g)?.length).toBeGreaterThan(6);
  const signIns = /^.*"msg":"sign-in (accepted|refused)".*$/gm;
  expect(output.match(signIns)?.every((line) => line.includes(address))).toBe(true);
  const rest = output.replace(signIns, '');
  for (const [name, secret] of Object.entries(secrets)) {
    const searched = secret === address ? rest : output;
    expect(searched.includes(secret), `the ${name} is in the log`).toBe(false);
  }
  expect(apiKeys).toHaveLength(1);
  for (const key of apiKeys) {
    expect(output).toContain(key.slice(0, 16));
    expect(output, 'the API key is in the log').not.toContain(key.slice(0, 20));
  }
  // Nor in another writing.
  for (const text of [password, secrets.message, `:${secrets.smtp}`]) {
    expect(output).not.toContain(Buffer.from(text).toString('base64').replace(/=+$/, ''));
    expect(output).not.toContain(encodeURIComponent(text));
  }
}, 60_000);
