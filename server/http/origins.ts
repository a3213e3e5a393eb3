/** How many origins documents are kept ready for: an owner has one or two. */
const limit = 8;

/** How long one must have rested before another takes its place, in ms. */
const rest = 60_000;

/**
 * The origins that documents are kept ready for, where the owner has not set one. Anybody can make
 * origins up, so there are few places, and each is given on only after a while: what it costs to
 * make documents ready is bounded, and the site's real origin finds a place.
 */
export function createOrigins({
  left,
  now,
}: {
  left: (origin: string) => void;
  now: () => number;
}) {
  /** When each was last asked for, the longest ago first. */
  const places = new Map<string, number>();
  let latest = '';

  return {
    /** Whether this origin has a place, which it may get by asking. */
    hasPlace(origin: string): boolean {
      if (origin === latest) return true;
      const at = now();
      if (!places.has(origin) && places.size >= limit) {
        const [[oldest = '', since = 0] = []] = places;
        // The latest is asked for without being noted each time.
        if (oldest === latest || at - since < rest) return false;
        places.delete(oldest);
        left(oldest);
      }
      if (latest) note(latest, at);
      note(origin, at);
      latest = origin;
      return true;
    },
    all: () => [...places.keys()],
  };

  function note(origin: string, at: number) {
    places.delete(origin);
    places.set(origin, at);
  }
}
