/**
 * Changes that the server has not confirmed, in the browser's storage: they survive a crash, a lost network and a
 * closed tab. Each tab has its own entry, and a lock by which others see that it is open.
 */
import type { Change } from '../../server/contract/document-changes.ts';

const prefix = 'site-draft:';

export interface Unsent {
  /** Replaces what is stored for this tab. */
  store(changes: readonly Change[]): void;
  /** Takes over the changes of tabs that were closed. */
  adopt(): Promise<Change[]>;
  /** Leaves what is stored to the next tab that adopts it. */
  release(): void;
}

export function openUnsent(): Unsent {
  const key = prefix + Math.random().toString(36).slice(2);
  let release = () => {};
  const isReleased = new Promise<void>((resolve) => {
    release = resolve;
  });
  void navigator.locks?.request(key, () => isReleased);
  return {
    store: (changes) => withStorage((storage) => write(storage, key, changes)),
    async adopt() {
      const state = await navigator.locks?.query();
      const open = state?.held?.map(({ name }) => name) ?? [];
      return withStorage((storage) => takeClosed(storage, [...open, key])) ?? [];
    },
    release,
  };
}

function write(storage: Storage, key: string, changes: readonly Change[]): void {
  if (changes.length > 0) storage.setItem(key, JSON.stringify(changes));
  else storage.removeItem(key);
}

function takeClosed(storage: Storage, open: readonly (string | undefined)[]): Change[] {
  const closed = Object.keys(storage).filter(
    (key) => key.startsWith(prefix) && !open.includes(key),
  );
  return closed.flatMap((key) => {
    const changes = parsed(storage.getItem(key));
    storage.removeItem(key);
    return changes;
  });
}

function parsed(text: string | null): Change[] {
  try {
    const changes: unknown = JSON.parse(text ?? '[]');
    return Array.isArray(changes) ? changes.filter(isChange) : [];
  } catch {
    return [];
  }
}

const isChange = (value: unknown): value is Change =>
  typeof (value as Partial<Change> | null)?.path === 'string';

/** Undefined where storage is blocked or full: the draft is then kept by the server alone. */
function withStorage<Result>(use: (storage: Storage) => Result): Result | undefined {
  try {
    return use(localStorage);
  } catch {
    return undefined;
  }
}
