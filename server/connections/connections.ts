/** What the owner has connected in the browser, decrypted. */
import type { OwnerAct } from '../database/owner-log.ts';
import type { Env } from '../env.ts';
import type { Box } from './box.ts';
import type { ConnectionStore } from './store.ts';
import {
  type Connected,
  type ConnectionName,
  connect,
  connectionNames,
  nouns,
  type StoredValue,
  type StoredValues,
  setIn,
  storedValues,
} from './values.ts';

/** The connections as they were at a revision. */
export interface ReadConnections extends Connected {
  revision: number;
  values: StoredValues;
  /** Those whose values cannot be read any more. */
  unreadable: ConnectionName[];
}

export type Connections = ReturnType<typeof createConnections>;

/** @param env the environment, which wins over the browser */
export function createConnections({
  store,
  box,
  env,
}: {
  store: ConnectionStore;
  box: Box;
  env: Env;
}) {
  const decrypt = <Name extends ConnectionName>(name: Name, bytes: Uint8Array) => {
    const found = box.decrypt(name, bytes);
    const { data } = storedValues[name].safeParse(parsed(found?.text));
    return { value: data as StoredValue<Name> | undefined, isCurrent: found?.isCurrent ?? true };
  };
  return {
    /** The variables of the environment that set a connection, and keep it from being changed here. */
    setBy: (name: ConnectionName) => setIn(env, name),

    /** The newest revision; another instance may have made it. */
    revision: store.revision,

    /** Reads all connections, and encrypts those anew that an older secret encrypted. */
    async read(): Promise<ReadConnections> {
      const { revision, stored } = await store.all();
      const values: StoredValues = {};
      const unreadable: ConnectionName[] = [];
      for (const connection of stored) {
        const name = connectionNames.find((known) => known === connection.name);
        // A newer release may have stored it.
        if (name === undefined) continue;
        const { value, isCurrent } = decrypt(name, connection.value);
        if (value === undefined) unreadable.push(name);
        else Object.assign(values, { [name]: value });
        if (isCurrent || value === undefined) continue;
        await store.reencrypt(connection, box.encrypt(name, JSON.stringify(value)));
      }
      return { revision, values, unreadable, ...connect(env, values) };
    },

    /**
     * Stores what `change` makes of the value of a connection, in one transaction with the act. Undefined is one that is
     * not set, or whose value cannot be read.
     */
    change: <Name extends ConnectionName>(
      name: Name,
      change: (value: StoredValue<Name> | undefined) => StoredValue<Name> | undefined,
      act: OwnerAct,
    ): Promise<void> =>
      store.change(
        name,
        (bytes) => {
          const after = change(bytes === null ? undefined : decrypt(name, bytes).value);
          return after === undefined ? null : box.encrypt(name, JSON.stringify(after));
        },
        act,
      ),
  };
}

function parsed(text: string | undefined): unknown {
  try {
    return text === undefined ? undefined : JSON.parse(text);
  } catch {
    return undefined;
  }
}

/** The alert about connections whose values cannot be read; undefined when there are none. */
export function unreadableSentence(names: readonly ConnectionName[]): string | undefined {
  if (names.length === 0) return undefined;
  const list = new Intl.ListFormat('en').format(names.map((name) => nouns[name]));
  return `What you entered for ${list} cannot be read any more, because the key that encrypted it is missing. Please enter it again under Settings.`;
}
