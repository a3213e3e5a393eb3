/** What the owner has connected in the browser, decrypted. */
import { createHash } from 'node:crypto';
import type { ReportedAct } from '../email/owner-notice.ts';
import type { Env } from '../env.ts';
import type { Encryption } from './encryption.ts';
import type { ConnectionStore } from './store.ts';
import {
  type Connected,
  type ConnectionName,
  connect,
  connectionNames,
  fieldsSetIn,
  nouns,
  type StoredValue,
  type StoredValues,
  setIn,
  storedValues,
} from './values.ts';

/** A connection as it is stored. */
export interface StoredConnection<Name extends ConnectionName> {
  /** Changes with each change of the connection. */
  revision: number;
  /** Undefined while it is not set, or cannot be read. */
  value: StoredValue<Name> | undefined;
  isUnreadable: boolean;
}

/** The connections as they were at a revision. */
export interface ReadConnections extends Connected {
  revision: number;
  values: StoredValues;
  /** Those whose values cannot be read any more, and that the environment does not set. */
  unreadable: ConnectionName[];
}

export type Connections = ReturnType<typeof createConnections>;

/** @param env the environment, which wins over the browser */
export function createConnections({
  store,
  encryption,
  env,
}: {
  store: ConnectionStore;
  encryption: Encryption;
  env: Env;
}) {
  const decrypt = <Name extends ConnectionName>(name: Name, bytes: Uint8Array) => {
    const found = encryption.decrypt(name, bytes);
    const { data } = storedValues[name].safeParse(parsed(found?.text));
    return data as StoredValue<Name> | undefined;
  };
  return {
    /** The variables of the environment that set a connection, and keep it from being changed here. */
    setBy: (name: ConnectionName) => setIn(env, name),

    /** The variables of the environment that set fields of a connection, by field. */
    fieldsSetBy: (name: ConnectionName) => fieldsSetIn(env, name),

    /** The newest revision; another instance may have made it. */
    revision: store.revision,

    /** Reads all connections. Those that cannot be read have their value of `running`, while they are set. */
    async read(running: StoredValues = {}): Promise<ReadConnections> {
      const { revision, stored } = await store.all();
      const values: StoredValues = {};
      const unreadable: ConnectionName[] = [];
      for (const connection of stored) {
        const name = connectionNames.find((known) => known === connection.name);
        // A newer release may have stored it.
        if (name === undefined) continue;
        const value = decrypt(name, connection.value);
        if (value === undefined && setIn(env, name).length === 0) unreadable.push(name);
        Object.assign(values, { [name]: value ?? running[name] });
      }
      return { revision, values, unreadable, ...connect(env, values) };
    },

    async one<Name extends ConnectionName>(name: Name): Promise<StoredConnection<Name>> {
      const { revision, value: bytes } = await store.one(name);
      const value = bytes === null ? undefined : decrypt(name, bytes);
      return { revision, value, isUnreadable: bytes !== null && value === undefined };
    },

    /**
     * Stores the value of a connection, undefined to clear it, in one transaction with the act. Returns false, and
     * changes nothing, when it is not `before` any more.
     */
    replace<Name extends ConnectionName>(
      name: Name,
      {
        before,
        value,
        act,
      }: {
        before: StoredConnection<Name>;
        value: StoredValue<Name> | undefined;
        act: ReportedAct;
      },
    ): Promise<boolean> {
      return store.replace({
        ...{ name, before: before.revision, act },
        value: value === undefined ? null : encryption.encrypt(name, JSON.stringify(value)),
        receiver: name === 'webhook' ? receiverOf(value) : undefined,
      });
    },

    /** Remembers whose events wait, also when the environment names the receiver or it cannot be read later. */
    rememberReceiver: (url: string): Promise<void> => store.rememberReceiver(receiverOf({ url })),

    /** Encrypts with the newest secret what an older one has encrypted. */
    async reencrypt(): Promise<void> {
      for (const connection of (await store.all()).stored) {
        const { name, value } = connection;
        const found = encryption.decrypt(name, value);
        if (!found || found.isCurrent) continue;
        await store.reencrypt(connection, encryption.encrypt(name, found.text));
      }
    },
  };
}

/** The host that gets the events, hashed: another one must not get those that wait. Empty: none. */
const receiverOf = (value: object | undefined) =>
  value && 'url' in value
    ? createHash('sha256')
        .update(new URL(String(value.url)).host)
        .digest()
    : Buffer.alloc(0);

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
  return `What you entered for ${list} cannot be read any more, because the secret that encrypted it is missing. Please disconnect it under Settings and enter it again, or bring back the SESSION_SECRET or data folder of before.`;
}
