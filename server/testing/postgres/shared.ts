/** For tests: one PostgreSQL server for all test files of a run, started at its first use. */
import { inject } from 'vitest';
import type { TestProject } from 'vitest/node';
import { migratedSchemaBehind, openEndpoint, serverBehind } from './endpoint.ts';

declare module 'vitest' {
  export interface ProvidedContext {
    /** The URL of the endpoint in `endpoint.ts`. */
    sharedPostgres: string;
  }
}

/** Vitest's global setup; the returned function is the teardown of the run. */
export async function setup(project: TestProject): Promise<() => Promise<void>> {
  const { address, close } = await openEndpoint();
  project.provide('sharedPostgres', address);
  return close;
}

/** Returns the server of the run. Tests create their own databases on it and never stop it. */
export const sharedPostgres = () => serverBehind(inject('sharedPostgres'));

/** Acquires a migrated, empty schema on the server of the run. */
export const migratedSchema = () => migratedSchemaBehind(inject('sharedPostgres'));
