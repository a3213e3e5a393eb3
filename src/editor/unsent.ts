/**
 * What the server has not confirmed, in the browser's storage: it survives a crash, a lost network and a closed tab. Each
 * tab has its own entry, and a lock by which others see that it is open.
 */
import { type Group, isGroup } from '../../server/contract/document-changes.ts';

const prefix = 'site-draft:';

/** A document with the one that it was made from. */
interface Left {
  base: Group;
  document: Group;
}

export interface Unsent {
  /** Replaces what is stored for this tab; undefined for nothing. */
  store(left: Left | undefined): void;
  /** Resolves with the function that takes what one of the tabs that are closed by now has left, if any. */
  closed(): Promise<() => Left | undefined>;
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
    store: (left) =>
      withStorage((storage) =>
        left ? storage.setItem(key, JSON.stringify(left)) : storage.removeItem(key),
      ),
    async closed() {
      const state = await navigator.locks?.query();
      const open = state?.held?.map(({ name }) => name) ?? [];
      return () => withStorage((storage) => takeClosed(storage, [...open, key]));
    },
    release,
  };
}

function takeClosed(storage: Storage, open: readonly (string | undefined)[]): Left | undefined {
  for (const key of Object.keys(storage)) {
    if (!key.startsWith(prefix) || open.includes(key)) continue;
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
