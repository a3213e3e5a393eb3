/**
 * What the server has not confirmed, in the browser's storage: it survives a crash, a lost network and a closed tab. Each
 * tab has its own entry, and a lock by which others see that it is open.
 */
import { type Group, isGroup } from '../../server/contract/document-changes.ts';

const prefix = 'site-draft:';

/** A document with the one that it was made from. */
export interface Left {
  base: Group;
  document: Group;
}

export interface Unsent {
  /** Replaces what is stored for this tab; undefined for nothing. */
  store(left: Left | undefined): void;
  /** Resolves with the function that takes what one of the tabs that are closed by now has left, if any. */
  closed(): Promise<() => Left | undefined>;
  /** Leaves what is stored to the next screen that takes it. */
  release(): void;
}

/** `onClosed` is called when a tab is closed that had something unsent while this one looked. */
export function openUnsent(onClosed: () => void): Unsent {
  const key = prefix + Math.random().toString(36).slice(2);
  let release = () => {};
  const isReleased = new Promise<void>((resolve) => {
    release = resolve;
  });
  void navigator.locks?.request(key, () => isReleased);
  /** What is taken where there are no locks, as on plain HTTP: tabs that open later would look closed, too. */
  let first: string[] | undefined;
  const awaited = new Set<string>();
  /** A tab holds the lock of its entry until it is closed. */
  const awaitClosing = async (open: string) => {
    if (awaited.has(open)) return;
    awaited.add(open);
    await navigator.locks.request(open, () => {});
    awaited.delete(open);
    onClosed();
  };
  return {
    store: (left) =>
      withStorage((storage) =>
        left ? storage.setItem(key, JSON.stringify(left)) : storage.removeItem(key),
      ),
    async closed() {
      const locks = await navigator.locks?.query();
      const others = withStorage(keys)?.filter((one) => one !== key) ?? [];
      first ??= others;
      const open = locks?.held?.map(({ name }) => name) ?? [];
      for (const one of others) if (open.includes(one)) void awaitClosing(one);
      const closed = locks ? others.filter((one) => !open.includes(one)) : first;
      return () => withStorage((storage) => take(storage, closed));
    },
    release,
  };
}

const keys = (storage: Storage) => Object.keys(storage).filter((key) => key.startsWith(prefix));

/** Removes entries from the list and the storage until one is there and can be read, and returns that one. */
function take(storage: Storage, keys: string[]): Left | undefined {
  for (let key = keys.shift(); key !== undefined; key = keys.shift()) {
    const left = parsed(storage.getItem(key));
    storage.removeItem(key);
    if (left) return left;
  }
  return undefined;
}

function parsed(text: string | null): Left | undefined {
  try {
    const left: Partial<Left> | null = JSON.parse(text ?? 'null');
    const { base, document } = left ?? {};
    return isGroup(base) && isGroup(document) ? { base, document } : undefined;
  } catch {
    return undefined;
  }
}

/** Undefined where storage is blocked or full: the draft is then kept by the server alone. */
function withStorage<Result>(use: (storage: Storage) => Result): Result | undefined {
  try {
    return use(localStorage);
  } catch {
    return undefined;
  }
}
