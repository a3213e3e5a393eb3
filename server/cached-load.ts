/**
 * Loads a value and caches it for `maxAgeMs`, by default as long as the process lives. A failed load is not cached.
 * Callers share the value, so a value that they change stays changed.
 */
export function cachedLoad<T>(
  load: () => Promise<T>,
  {
    maxAgeMs = Number.POSITIVE_INFINITY,
    now = Date.now,
  }: { maxAgeMs?: number; now?: () => number } = {},
) {
  let cached: { at: number; value: Promise<T> } | undefined;
  return {
    read(): Promise<T> {
      const at = now();
      if (cached && at >= cached.at && at - cached.at < maxAgeMs) return cached.value;
      const made = { at, value: load() };
      made.value.catch(() => {
        if (cached === made) cached = undefined;
      });
      cached = made;
      return made.value;
    },
    forget: () => {
      cached = undefined;
    },
  };
}
