/** For tests: one PostgreSQL server for all test files of a run, started when the first asks for it. */
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { inject } from 'vitest';
import type { TestProject } from 'vitest/node';
import { startPostgres, type TestPostgres } from './test-postgres.ts';

declare module 'vitest' {
  export interface ProvidedContext {
    /** Where to ask for the shared server's address. */
    sharedPostgres: string;
  }
}

/** Once a run, before the first test file; what it returns, after the last. */
export async function setup(project: TestProject): Promise<() => Promise<void>> {
  let started: Promise<TestPostgres> | undefined;
  const door = createServer((_, res) => {
    started ??= startPostgres();
    started.then(
      ({ url }) => res.end(url),
      (error: Error) => res.writeHead(500).end(error.message),
    );
  });
  await new Promise<void>((resolve) => door.listen(0, '127.0.0.1', resolve));
  project.provide('sharedPostgres', `http://127.0.0.1:${(door.address() as AddressInfo).port}`);
  return async () => {
    door.close();
    door.closeAllConnections();
    await (await started?.catch(() => undefined))?.stop();
  };
}

/** The run's server: a test makes its own databases there and leaves the server alone. */
export async function sharedPostgres(): Promise<{ url: string }> {
  const response = await fetch(inject('sharedPostgres'));
  const answer = await response.text();
  if (!response.ok) throw new Error(answer);
  return { url: answer };
}
