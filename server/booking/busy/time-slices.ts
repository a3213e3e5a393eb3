/** Splits long work into slices, so that the event loop stays free for requests. */
export interface TimeSlices {
  /** Whether the current slice is over. */
  isOver: () => boolean;
  /** Lets other work run, then starts a slice. */
  next: () => Promise<void>;
}

/** Starts the first slice. */
export function timeSlices(sliceMs = 10): TimeSlices {
  let end = performance.now() + sliceMs;
  return {
    isOver: () => performance.now() >= end,
    next: async () => {
      await new Promise((resolve) => setImmediate(resolve));
      end = performance.now() + sliceMs;
    },
  };
}
