/** The environment of the site, with what the owner has connected in the browser. */
import { createBox } from '../connections/box.ts';
import { createConnections } from '../connections/connections.ts';
import type { Env } from '../env.ts';
import { sessionSecret } from './data-folder.ts';
import type { Stores } from './stores.ts';

/** The secrets that sign sessions and encrypt connections: the first one new ones. */
export const sessionSecrets = ({ SESSION_SECRET, DATA_DIR }: Env): string[] =>
  SESSION_SECRET ?? [sessionSecret(DATA_DIR)];

/** The connections that are stored. */
export const openConnections = (env: Env, { connections: store }: Pick<Stores, 'connections'>) =>
  createConnections({ store, box: createBox(() => sessionSecrets(env)), env });

export const connectedEnv = async (env: Env, stores: Pick<Stores, 'connections'>): Promise<Env> =>
  (await openConnections(env, stores).read()).env;
