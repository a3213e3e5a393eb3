/** For tests: one PostgreSQL server for a whole run of several processes. Whoever asks first starts it. */
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { startPostgres, type TestPostgres } from './test-postgres.ts';

interface Door {
  /** Where to ask for the server: `serverBehind` does. */
  address: string;
  /** Ends the server, if it was started here. */
  close(): Promise<void>;
}

/** Opens the door to a server that is not started yet. */
export async function openDoor(): Promise<Door> {
  let started: Promise<TestPostgres> | undefined;
  const door = createServer((_, res) => {
    started ??= startPostgres();
    started.then(
      ({ url }) => res.end(url),
      (error: Error) => res.writeHead(500).end(error.message),
    );
  });
  await new Promise<void>((resolve) => door.listen(0, '127.0.0.1', resolve));
  return {
    address: `http://127.0.0.1:${(door.address() as AddressInfo).port}`,
    async close() {
      door.close();
      door.closeAllConnections();
      await (await started?.catch(() => undefined))?.stop();
    },
  };
}

/** The run's server. A test makes its own databases or schemas there and leaves the server alone. */
export async function serverBehind(door: string): Promise<{ url: string }> {
  const response = await fetch(door);
  const answer = await response.text();
  if (!response.ok) throw new Error(answer);
  return { url: answer };
}
