/** Maximum cached origins. A site has one or two. */
const maxOrigins = 8;

/** How long an origin must be unused before another one evicts it, in ms. */
const minIdleMs = 60_000;

/**
 * Tracks the origins whose compressed documents are cached. The first one, which is PUBLIC_URL where it is
 * set, stays. Others, which clients can invent, share the remaining slots by least recent use (LRU).
 */
export function createOrigins({
  onEvict,
  now,
}: {
  onEvict: (origin: string) => void;
  now: () => number;
}) {
  let first: string | undefined;
  /** When each was last requested, least recent first. */
  const others = new Map<string, number>();

  return {
    /** The origins whose documents are cached. */
    all: () => [...(first === undefined ? [] : [first]), ...others.keys()],
    /** Whether documents of this origin are cached. Adds the origin when there is room. */
    admit(origin: string): boolean {
      first ??= origin;
      if (origin === first) return true;
      const at = now();
      if (!others.has(origin) && others.size >= maxOrigins - 1) {
        const [[oldest = '', since = 0] = []] = others;
        if (at - since < minIdleMs) return false;
        others.delete(oldest);
        onEvict(oldest);
      }
      others.delete(origin);
      others.set(origin, at);
      return true;
    },
  };
}
