/** Searches what leaves the site, and what outlives it, for the secrets of the owner's connections. */
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { Writable } from 'node:stream';
import { pino } from 'pino';
import { expect, it, vi } from 'vitest';
import { routes } from '../contract/routes.ts';
import { handTyped } from '../database/columns.ts';
import { all } from '../database/database.ts';
import { loggedError } from '../log.ts';
import { connectionTests, ownerOf } from '../testing/connections.ts';
import { engines, openDatabase } from '../testing/engines.ts';
import { openTestServer } from '../testing/http-server.ts';
import { openTestStripe } from '../testing/stripe/api.ts';

const { closed, createDatabase, open, openMail } = connectionTests();

/** What a visitor writes: the search must find it where visitors' data are. */
const control = 'Words that the search must find';

/** All rows of a PostgreSQL schema as text, in which bytes are hexadecimal. */
async function rowsOf(env: Record<string, string>): Promise<string> {
  const database = await openDatabase({ env });
  const texts = await database.read(function* () {
    const tables = yield* all(
      handTyped<{ name: string }>(
        'SELECT tablename AS name FROM pg_tables WHERE schemaname = current_schema()',
      ),
    );
    const found: string[] = [];
    for (const { name } of tables) {
      const rows = yield* all(
        handTyped<{ text: string }>(`SELECT one::text AS text FROM "${name}" AS one`),
      );
      found.push(...rows.map(({ text }) => text));
    }
    return found;
  });
  await database.close();
  return texts.join('\n');
}

/** The files of a folder, the backups among them. */
const filesOf = (folder: string) =>
  readdirSync(folder, { recursive: true, withFileTypes: true })
    // The secret that encrypts is no secret of a connection.
    .filter((entry) => entry.isFile() && entry.name !== 'session-secret')
    .map((entry) => readFileSync(join(entry.parentPath, entry.name), 'latin1'))
    .join('\n');

it.each(engines)(
  'no secret is in an answer, the database, the log, a backup or an export: on $name',
  async (engine) => {
    const lines: string[] = [];
    const stream = new Writable({
      write: (line, _, done) => {
        lines.push(String(line));
        done();
      },
    });
    const log = pino({ level: 'trace', serializers: { error: loggedError } }, stream);
    const stripe = closed(await openTestStripe());
    const other = closed(
      await openTestServer(
        (_, res) => void res.end('BEGIN:VCALENDAR\r\nVERSION:2.0\r\nEND:VCALENDAR\r\n'),
        { isTls: true },
      ),
    );
    const { smtp, value, overrides } = await openMail('password-of-the-mail-server');
    const database = await createDatabase(engine);
    const site = await open({
      env: { ...database, PUBLIC_URL: 'https://www.adabrook.com' },
      overrides: { ...overrides, stripeEndpoint: stripe.endpoint },
      log,
    });
    const { set, clear, cookie } = await ownerOf(site);
    const answers: unknown[] = [
      await set('email', value),
      await set('stripe', { key: 'rk_live_keyOfStripe' }),
      await set('busyCalendars', { add: `${other.origin}/address-of-the-calendar.ics` }),
      await set('calcom', { webhookSecret: 'secret-of-cal-com-webhooks' }),
      await set('calendly', { webhookSecret: 'secret-of-calendly-webhooks' }),
      // Refused ones could be logged.
      await set('email', { ...value, password: 'wrong-password' }),
      await set('stripe', { webhookSecret: 'not-a-signing-secret' }),
      await set('busyCalendars', { add: 'https://inside.test/refused-address.ics' }),
    ];
    const { secret: hookSecret = '', ...hook } = await set('webhook', {
      url: `${other.origin}/path-of-the-webhook`,
    });
    answers.push(hook);
    expect(hookSecret).toMatch(/^whsec_/);
    const secrets = [
      ...[value.password, 'rk_live_keyOfStripe', `whsec_of_${stripe.endpoints[0]?.id}`],
      ...['address-of-the-calendar', 'secret-of-cal-com-webhooks', 'secret-of-calendly-webhooks'],
      ...['wrong-password', 'not-a-signing-secret', 'refused-address', 'path-of-the-webhook'],
      hookSecret,
    ];
    await site.post('/api/contact', { name: 'Ada', email: 'ada@my-host.com', message: control });
    await vi.waitFor(() => expect(smtp.sources.join('')).toContain(control), 10_000);
    for (const { method, path } of Object.values(routes)) {
      if (method !== 'GET') continue;
      const response = await site.fetch(path, { headers: { cookie } });
      answers.push(await response.text());
    }
    const download = async (path: string) =>
      Buffer.from(await (await site.fetch(path, { headers: { cookie } })).arrayBuffer()).toString(
        'latin1',
      );
    const backup = await download('/api/backup');
    const exported = await download('/api/site/export');
    answers.push(await (await clear('calcom')).text());

    const places = {
      answers: JSON.stringify(answers),
      emails: smtp.sources.join('\n'),
      log: lines.join(''),
      export: exported,
      backup,
      database: database.DATABASE_URL ? await rowsOf(database) : filesOf(database.DATA_DIR ?? ''),
    };
    for (const name of ['answers', 'emails', 'backup', 'database'] as const) {
      expect(places[name], name).toContain(control);
    }
    expect(places.export).toContain('Ada Brook');
    expect(places.log).toContain('sign-in accepted');
    const hex = (text: string) => Buffer.from(text).toString('hex');
    const found = Object.entries(places).flatMap(([place, text]) =>
      secrets
        .filter((secret) => text.includes(secret) || text.includes(hex(secret)))
        .map((secret) => `${secret} in ${place}`),
    );
    expect(found).toEqual([]);
  },
);
