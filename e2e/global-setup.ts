/** Once a run, before its tests: the way to its PostgreSQL, which starts when the first test asks. */
import { openDoor } from '../server/testing/postgres/endpoint.ts';

/** What it returns is called after the last test. */
export default async function setup(): Promise<() => Promise<void>> {
  const { address, close } = await openDoor();
  // Workers inherit the environment.
  process.env.E2E_POSTGRES_DOOR = address;
  return close;
}
