/** For tests: one PostgreSQL server for all test files of a run, started when the first asks for it. */
import { inject } from 'vitest';
import type { TestProject } from 'vitest/node';
import { migratedSchemaBehind, openDoor, serverBehind } from './endpoint.ts';

declare module 'vitest' {
  export interface ProvidedContext {
    /** Where to ask for the shared server's address. */
    sharedPostgres: string;
  }
}

/** The variable by which the projects of one run find the same server. */
const variable = 'TEST_SHARED_POSTGRES';

/** Once per project, before its first test file; what it returns, after the last of the run. */
export async function setup(project: TestProject): Promise<(() => Promise<void>) | undefined> {
  const known = process.env[variable];
  if (known !== undefined) return void project.provide('sharedPostgres', known);
  const { address, close } = await openDoor();
  process.env[variable] = address;
  project.provide('sharedPostgres', address);
  return close;
}

/** The run's server: a test makes its own databases there and leaves the server alone. */
export const sharedPostgres = () => serverBehind(inject('sharedPostgres'));

/** A schema of the run's server that is migrated and has no rows. */
export const migratedSchema = () => migratedSchemaBehind(inject('sharedPostgres'));
