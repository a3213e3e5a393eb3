/** How many origins documents are kept ready for: an owner has one or two. */
const limit = 8;

/** How long one must have rested before another takes its place, in ms. */
const rest = 60_000;

/**
 * The origins that documents are kept compressed for. The first that a visitor asks for, which is
 * PUBLIC_URL where it is set, keeps its place. Others are easily made up: they compete for the rest.
 */
export function createOrigins({
  left,
  now,
}: {
  left: (origin: string) => void;
  now: () => number;
}) {
  let first: string | undefined;
  /** When each was last asked for, the longest ago first. */
  const others = new Map<string, number>();

  return {
    /** Whether this origin has a place, which it may get by asking. */
    hasPlace(origin: string): boolean {
      first ??= origin;
      if (origin === first) return true;
      const at = now();
      if (!others.has(origin) && others.size >= limit - 1) {
        const [[oldest = '', since = 0] = []] = others;
        if (at - since < rest) return false;
        others.delete(oldest);
        left(oldest);
      }
      others.delete(origin);
      others.set(origin, at);
      return true;
    },
    all: () => (first === undefined ? [] : [first, ...others.keys()]),
  };
}
