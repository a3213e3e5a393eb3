/**
 * For tests: an HTTP endpoint that shares one PostgreSQL server and one pool of schemas between the
 * processes of a test run. The first request starts them.
 */
import { createServer, type IncomingMessage } from 'node:http';
import type { AddressInfo } from 'node:net';
import { createSchemaPool } from './schema-pool.ts';
import { startPostgres } from './server.ts';

interface Endpoint {
  /** The URL for `serverBehind` and `migratedSchemaBehind`. */
  address: string;
  /** Stops the server, if it was started here. */
  close(): Promise<void>;
}

/** Opens the endpoint; the server starts with the first request. */
export async function openEndpoint(): Promise<Endpoint> {
  const start = async () => {
    const server = await startPostgres();
    return { server, pool: createSchemaPool(server) };
  };
  let started: ReturnType<typeof start> | undefined;
  const handle = async ({ method, url = '' }: IncomingMessage): Promise<string> => {
    started ??= start();
    const { server, pool } = await started;
    if (method === 'POST') return pool.acquire();
    if (method !== 'DELETE') return server.url;
    await pool.release(decodeURIComponent(url.slice(1)));
    return '';
  };
  const endpoint = createServer((req, res) => {
    handle(req).then(
      (body) => res.end(body),
      (error: Error) => res.writeHead(500).end(error.message),
    );
  });
  await new Promise<void>((resolve) => endpoint.listen(0, '127.0.0.1', resolve));
  return {
    address: `http://127.0.0.1:${(endpoint.address() as AddressInfo).port}`,
    async close() {
      endpoint.close();
      endpoint.closeAllConnections();
      const opened = await started?.catch(() => undefined);
      await opened?.pool.close();
      await opened?.server.stop();
    },
  };
}

/** Returns the shared server. Tests create their own databases or schemas on it and never stop it. */
export const serverBehind = async (endpoint: string): Promise<{ url: string }> => ({
  url: await request(endpoint),
});

/** Acquires a migrated, empty schema from the pool; `remove` releases it. */
export async function migratedSchemaBehind(endpoint: string) {
  const url = await request(endpoint, 'POST');
  return {
    url,
    async remove() {
      await request(`${endpoint}/${encodeURIComponent(url)}`, 'DELETE');
    },
  };
}

async function request(address: string, method = 'GET'): Promise<string> {
  const response = await fetch(address, { method });
  const body = await response.text();
  if (!response.ok) throw new Error(body);
  return body;
}
