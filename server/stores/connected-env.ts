/** The environment of the site, with what the owner has connected in the browser. */
import { createConnections } from '../connections/connections.ts';
import { createEncryption } from '../connections/encryption.ts';
import type { Env } from '../env.ts';
import { sessionSecret, storedSessionSecret } from './data-folder.ts';
import type { Stores } from './stores.ts';

/** The secrets that sign sessions: the first one new ones. */
export const sessionSecrets = ({ SESSION_SECRET, DATA_DIR }: Env): string[] =>
  SESSION_SECRET ?? [sessionSecret(DATA_DIR)];

/**
 * The secrets that encrypt connections: also that of the data folder, from before SESSION_SECRET was set. A site has made
 * it at the start, and commands make none.
 */
function encryptionSecrets({ SESSION_SECRET = [], DATABASE_URL, DATA_DIR }: Env): string[] {
  const stored = DATABASE_URL === undefined ? storedSessionSecret(DATA_DIR) : undefined;
  return stored === undefined ? SESSION_SECRET : [...SESSION_SECRET, stored];
}

/** The connections that are stored. */
export const openConnections = (env: Env, { connections: store }: Pick<Stores, 'connections'>) =>
  createConnections({ store, encryption: createEncryption(() => encryptionSecrets(env)), env });

export const connectedEnv = async (env: Env, stores: Pick<Stores, 'connections'>): Promise<Env> =>
  (await openConnections(env, stores).read()).env;
