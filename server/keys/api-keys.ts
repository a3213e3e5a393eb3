/**
 * API keys of other programs. A key is 192 random bits, which cannot be guessed, so a fast hash (SHA-256)
 * protects it as well as a slow one would.
 */
import { createHash, randomBytes } from 'node:crypto';
import { cachedLoad } from '../cached-load.ts';
import type { Scope } from '../contract/scopes.ts';
import type { OwnerAct } from '../database/owner-log.ts';
import type { ReportedAct } from '../email/owner-notice.ts';
import { isSameSecret } from '../text/same-secret.ts';
import { hourMs } from '../time/units.ts';
import type { KeyStore, StoredKey } from './store.ts';

/** Minimum ms between two writes of `usedAt`, so that not every request writes. */
const touchEvery = hourMs;

/** How long the list of keys is cached in ms, so that a flood of requests does not reach the database. */
const cachedFor = 1000;

const prefix = 'shingle_';

/** The number of first characters of a key that are its id. */
const idLength = prefix.length + 8;

const keyPattern = /^shingle_[0-9a-f]{48}$/;

/** An API key without its secret. Times are milliseconds since 1970, UTC. */
export interface ApiKey {
  id: string;
  name: string;
  scopes: readonly Scope[];
  /** Null for a key that the environment sets. */
  createdAt: number | null;
  /** The last use, or up to an hour earlier; null: never, or not known. */
  usedAt: number | null;
  /** Whether a variable of the environment sets the key, so that it cannot be revoked here. */
  isInEnvironment: boolean;
}

export type ApiKeys = ReturnType<typeof createApiKeys>;

/**
 * Creates the service of API keys.
 *
 * @param conversionKey the key of the environment, which has the scope `write:conversions` only
 */
export function createApiKeys({
  store,
  conversionKey,
  now,
}: {
  store: KeyStore;
  conversionKey: string | undefined;
  now: () => number;
}) {
  const ofEnvironment: ApiKey[] =
    conversionKey === undefined
      ? []
      : [
          {
            id: 'CONVERSION_KEY',
            name: 'CONVERSION_KEY',
            scopes: ['write:conversions'],
            createdAt: null,
            usedAt: null,
            isInEnvironment: true,
          },
        ];
  const touching = new Set<string>();

  /** Stores the time of use in the background. A failed write is repeated by the next use. */
  const touch = ({ id, usedAt }: StoredKey) => {
    const at = now();
    if (touching.has(id) || (usedAt !== null && Math.abs(at - usedAt) < touchEvery)) return;
    touching.add(id);
    store
      .setUsedAt(id, at)
      .catch(() => {})
      .finally(() => touching.delete(id));
  };
  const recentKeys = cachedLoad(() => store.all(), { maxAgeMs: cachedFor, now });
  const list = async (): Promise<ApiKey[]> => [
    ...ofEnvironment,
    ...(await store.all()).map(withoutSecret),
  ];

  return {
    /**
     * The key that a request sent, and stores its use; undefined when there is no such key.
     *
     * @param isThrottled whether the client sent too many wrong keys. Then a wrong one costs no query, and that
     * of the environment is not compared: the owner chose it, so a right guess must look like a wrong one.
     */
    async match(
      text: string,
      { isThrottled = false }: { isThrottled?: boolean } = {},
    ): Promise<ApiKey | undefined> {
      if (!isThrottled && conversionKey !== undefined && isSameSecret(text, conversionKey)) {
        return ofEnvironment[0];
      }
      if (!keyPattern.test(text)) return undefined;
      const sent = hashOf(text);
      if (isThrottled && !(await recentKeys.read()).some(({ hash }) => hash === sent))
        return undefined;
      const stored = await store.find(idOf(text));
      if (!stored || !isSameSecret(sent, stored.hash)) return undefined;
      touch(stored);
      return withoutSecret(stored);
    },

    /** Whether any key has this scope. One that another process created counts within a second. */
    hasAny: async (scope: Scope): Promise<boolean> =>
      ofEnvironment.some(({ scopes }) => scopes.includes(scope)) ||
      (await recentKeys.read()).some(({ scopes }) => scopes.includes(scope)),

    /** All keys: those of the environment, then the newest first. */
    list,

    /** Creates a key. Only this result ever holds it. `actOn` makes the act that is recorded of its id. */
    async create(
      { name, scopes }: Pick<ApiKey, 'name' | 'scopes'>,
      actOn?: (id: string) => ReportedAct,
    ) {
      const key = `${prefix}${randomBytes(24).toString('hex')}`;
      const id = idOf(key);
      const stored = { id, name, hash: hashOf(key), scopes: [...new Set(scopes)] };
      await store.add({ ...stored, createdAt: now(), usedAt: null }, actOn?.(id));
      recentKeys.forget();
      return { id, key };
    },

    /** Revokes a key at once. Returns false when there is none with this id. */
    async revoke(id: string, act?: OwnerAct): Promise<boolean> {
      const isRemoved = await store.remove(id, act);
      recentKeys.forget();
      return isRemoved;
    },
  };
}

const withoutSecret = ({ hash: _, ...key }: StoredKey): ApiKey => ({
  ...key,
  isInEnvironment: false,
});

const idOf = (key: string) => key.slice(0, idLength);

const hashOf = (text: string) => createHash('sha256').update(text).digest('base64url');
