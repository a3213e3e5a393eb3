import { randomInt } from 'node:crypto';
import { createServer } from 'node:net';

/**
 * Returns a free port below the ephemeral range, so that no outgoing connection takes it before, or
 * between two starts of, the server that it is for.
 */
export async function freePort(): Promise<number> {
  for (;;) {
    const port = randomInt(15_000, 30_000);
    const server = createServer();
    const isFree = await new Promise<boolean>((resolve) => {
      server.on('error', () => resolve(false)).listen(port, '127.0.0.1', () => resolve(true));
    });
    if (!isFree) continue;
    await new Promise((resolve) => server.close(resolve));
    return port;
  }
}
