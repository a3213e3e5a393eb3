/**
 * For tests: one PostgreSQL server and one pool of schemas for a whole run of several processes. Whoever asks
 * first starts them.
 */
import { createServer, type IncomingMessage } from 'node:http';
import type { AddressInfo } from 'node:net';
import { createSchemaPool } from './schema-pool.ts';
import { startPostgres } from './server.ts';

interface Door {
  /** Where to ask for the server: `serverBehind` does. */
  address: string;
  /** Ends the server, if it was started here. */
  close(): Promise<void>;
}

/** Opens the door to a server that is not started yet. */
export async function openDoor(): Promise<Door> {
  const start = async () => {
    const server = await startPostgres();
    return { server, pool: createSchemaPool(server) };
  };
  let started: ReturnType<typeof start> | undefined;
  const answerTo = async ({ method, url = '' }: IncomingMessage): Promise<string> => {
    started ??= start();
    const { server, pool } = await started;
    if (method === 'POST') return pool.take();
    if (method !== 'DELETE') return server.url;
    await pool.giveBack(decodeURIComponent(url.slice(1)));
    return '';
  };
  const door = createServer((req, res) => {
    answerTo(req).then(
      (answer) => res.end(answer),
      (error: Error) => res.writeHead(500).end(error.message),
    );
  });
  await new Promise<void>((resolve) => door.listen(0, '127.0.0.1', resolve));
  return {
    address: `http://127.0.0.1:${(door.address() as AddressInfo).port}`,
    async close() {
      door.close();
      door.closeAllConnections();
      const opened = await started?.catch(() => undefined);
      await opened?.pool.close();
      await opened?.server.stop();
    },
  };
}

/** The run's server. A test makes its own databases or schemas there and leaves the server alone. */
export const serverBehind = async (door: string): Promise<{ url: string }> => ({
  url: await ask(door),
});

/** A migrated schema without rows on the run's server, from its pool. */
export async function migratedSchemaBehind(door: string) {
  const url = await ask(door, 'POST');
  return {
    url,
    async remove() {
      await ask(`${door}/${encodeURIComponent(url)}`, 'DELETE');
    },
  };
}

async function ask(address: string, method = 'GET'): Promise<string> {
  const response = await fetch(address, { method });
  const answer = await response.text();
  if (!response.ok) throw new Error(answer);
  return answer;
}
