/** How many answers are kept, and for keys of which length. */
const most = 1000;
const longest = 500;

/**
 * A function that need not ask `answer` again for what it was asked lately: for few things that come
 * again and again. Whoever makes up new ones all the time only makes it ask.
 *
 * @param keyOf tells its arguments apart
 */
export function memoize<Args extends unknown[], Answer extends string | boolean | null>(
  answer: (...args: Args) => Answer,
  keyOf: (...args: Args) => string,
): (...args: Args) => Answer {
  const known = new Map<string, Answer>();
  return (...args) => {
    const key = keyOf(...args);
    const before = known.get(key);
    if (before !== undefined) return before;
    const found = answer(...args);
    if (known.size >= most) known.clear();
    if (key.length <= longest) known.set(key, found);
    return found;
  };
}
