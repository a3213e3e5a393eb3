import { setImmediate as yieldToEventLoop } from 'node:timers/promises';

/** Milliseconds of work without a break. */
const sliceMs = 10;

/**
 * Returns a function to await between the steps of long work: it yields to the event loop when 10 ms have
 * passed since it last did, so that requests are served meanwhile.
 */
export function timeSlices(): () => Promise<void> {
  let end = performance.now() + sliceMs;
  return async () => {
    if (performance.now() < end) return;
    await yieldToEventLoop();
    end = performance.now() + sliceMs;
  };
}
