/** Maximum cached results, and maximum length of their keys. */
const maxEntries = 1000;
const maxKeyLength = 500;

/**
 * Caches the results of `compute` in memory, for few arguments that recur often. Ever new arguments clear the
 * cache, so memory stays bounded.
 *
 * @param keyOf returns the cache key of the arguments
 */
export function memoize<Args extends unknown[], Result extends string | boolean | null>(
  compute: (...args: Args) => Result,
  keyOf: (...args: Args) => string,
): (...args: Args) => Result {
  const cache = new Map<string, Result>();
  return (...args) => {
    const key = keyOf(...args);
    const cached = cache.get(key);
    if (cached !== undefined) return cached;
    const result = compute(...args);
    if (key.length > maxKeyLength) return result;
    if (cache.size >= maxEntries) cache.clear();
    cache.set(key, result);
    return result;
  };
}
