import type { IncomingMessage } from 'node:http';

/** How much of a rejected body is read, in bytes and milliseconds. */
const drainLimit = 16 * 1024 * 1024;
const drainTimeoutMs = 5000;

/**
 * Reads and discards the rest of a request body. A response sent earlier would reset the connection while
 * the visitor is still uploading, and the browser would never show it.
 */
export function drain(req: IncomingMessage): Promise<void> {
  if (req.complete || req.destroyed) return Promise.resolve();
  return new Promise((resolve) => {
    let size = 0;
    const timer = setTimeout(stop, drainTimeoutMs);
    function stop() {
      req.pause();
      finish();
    }
    function finish() {
      clearTimeout(timer);
      req.off('data', count);
      resolve();
    }
    function count(chunk: Buffer) {
      size += chunk.length;
      if (size > drainLimit) stop();
    }
    req.on('data', count);
    for (const end of ['end', 'error', 'close'] as const) req.once(end, finish);
    req.resume();
  });
}
