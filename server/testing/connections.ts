/** For tests: a running site whose owner sets, changes and clears connections. */
import { afterEach } from 'vitest';
import { routes } from '../contract/routes.ts';
import { certificate } from './certificate.ts';
import { postgres } from './engines.ts';
import { filled } from './filled-config.ts';
import { lookupBy } from './outbound.ts';
import { openTestSite, signIn, type TestSite } from './site.ts';
import { openTestSmtp } from './smtp.ts';

/** Servers of this machine count as public, but for `inside.test`. */
const outbound = {
  isAllowed: (address: string) => address === '127.0.0.1',
  lookup: lookupBy((name) => [name === 'inside.test' ? '127.0.0.2' : '127.0.0.1']),
  ca: certificate,
};

interface Connection {
  name: string;
  state: string;
  hint?: string;
  checkedAt?: string;
  problem?: string;
  variables?: string[];
  fields?: object;
  account?: { name?: string; hasKey: boolean; webhook?: string };
  items?: { id: string; hint: string; problem?: string }[];
}

/** The calls of an owner who has just signed in. */
export async function ownerOf(site: TestSite) {
  const cookie = await signIn(site);
  const set = async (name: string, value: object) => {
    const response = await site.post(routes['connections.set'].path, { name, value }, { cookie });
    const body = (await response.json()) as {
      connection?: Connection;
      secret?: string;
      code?: string;
      error?: string;
      issues?: { path: string; message: string }[];
    };
    return { status: response.status, ...body };
  };
  const list = async () => {
    const response = await site.fetch(routes['connections.list'].path, { headers: { cookie } });
    const { connections } = (await response.json()) as { connections: Connection[] };
    return Object.fromEntries(connections.map(({ name, ...connection }) => [name, connection]));
  };
  const clear = (name: string) => site.post(routes['connections.clear'].path, { name }, { cookie });
  return { cookie, set, list, clear };
}

/** Opens sites and servers, which close after the test. */
export function connectionTests() {
  const closing: (() => unknown)[] = [];
  afterEach(async () => {
    for (const close of closing.splice(0).reverse()) await close();
  });
  const closed = <T extends { close(): unknown }>(one: T): T => {
    closing.push(() => one.close());
    return one;
  };
  return {
    closed,

    async createDatabase(engine = postgres) {
      const database = await engine.create();
      closing.push(database.remove);
      return database.env;
    },

    open: async (
      options: Omit<Parameters<typeof openTestSite>[0] & object, 'overrides'> & {
        overrides?: object;
      } = {},
    ) => {
      const overrides = { outbound, ...options.overrides };
      const site = await openTestSite({ config: filled, ...options, overrides });
      let closing: Promise<void> | undefined;
      // Some tests close it earlier.
      const close = () => {
        closing ??= site.close();
        return closing;
      };
      return closed({ ...site, close });
    },

    /** A mail server that wants this password, as the owner enters it. */
    async openMail(password = 'app password') {
      const smtp = closed(await openTestSmtp({ password }));
      const port = Number(new URL(smtp.url).port);
      const value = {
        ...{ host: 'mail.test', port, security: 'none', user: 'me@my-domain.com', password },
        to: ['owner@my-domain.com'],
      };
      return { smtp, value, overrides: { smtpPorts: [port] } };
    },
  };
}
