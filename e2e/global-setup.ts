/** Global setup: opens the endpoint of the run's PostgreSQL server, which starts on first use. */
import { openEndpoint } from '../server/testing/postgres/endpoint.ts';

/** Returns the teardown function, which runs after the last test. */
export default async function setup(): Promise<() => Promise<void>> {
  const { address, close } = await openEndpoint();
  // Workers inherit the environment.
  process.env.E2E_POSTGRES_ENDPOINT = address;
  return close;
}
