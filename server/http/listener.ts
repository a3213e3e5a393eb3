/** The HTTP server: how long a client may take, how many may be connected, and how it ends. */
import { readFileSync } from 'node:fs';
import { createServer, type RequestListener, type Server, type ServerResponse } from 'node:http';
import type { Socket } from 'node:net';
import type { Log } from '../log.ts';

export interface Patience {
  /** Until the headers of a request are whole, in ms. A connection that says nothing ends then, too. */
  headers: number;
  /** Until its body is, in ms: 256 kB arrive within it at 2 kB a second. */
  request: number;
  /** Until a connection that asks for nothing more is closed, in ms: longer than Caddy and nginx keep
   *  theirs, so that no message is sent on one that is just being closed. */
  idle: number;
  /** Until a reader who takes nothing of the answer is given up, in ms. */
  silence: number;
  /** How often the first two are looked after, in ms. */
  lookEvery: number;
  /** Most connections. One more closes the oldest that nothing is under way on. */
  connections: number;
}

const patience: Patience = {
  headers: 20_000,
  request: 120_000,
  idle: 130_000,
  silence: 150_000,
  lookEvery: 5000,
  connections: 15_000,
};

/** Files that are kept for the database and everything else when connections take the rest. */
const otherFiles = 100;

/** Connections there are in any case, however few files may be open. */
const fewest = 50;

/** Most bytes of a request's headers: what browsers send is a tenth of it. */
const maxHeaderSize = 16 * 1024;

export interface Listener {
  server: Server;
  /**
   * Takes no more requests, finishes those under way and resolves once all connections are closed: by
   * themselves, after `grace` ms, or when `hurry` says so.
   */
  stop(options: { grace: number; hurry: AbortSignal }): Promise<void>;
}

/** A server for `handler` that does not listen yet. Another `given` patience is for tests. */
export function createListener(
  handler: RequestListener,
  { log, given = {} }: { log: Log; given?: Partial<Patience> },
): Listener {
  const { headers, request, idle, silence, lookEvery, connections } = { ...patience, ...given };
  const server = createServer(
    {
      headersTimeout: headers,
      requestTimeout: request,
      keepAliveTimeout: idle,
      connectionsCheckingInterval: lookEvery,
      maxHeaderSize,
    },
    handler,
  );
  server.timeout = silence;
  const most = Math.min(connections, Math.max(fewest, filesThatMayBeOpen() - otherFiles));
  /** Each connection, the oldest first, with the last answer on it. */
  const sockets = new Map<Socket, ServerResponse | undefined>();

  server.on('connection', (socket: Socket) => {
    sockets.set(socket, undefined);
    socket.once('close', () => sockets.delete(socket));
    if (sockets.size > most) makeRoom(socket);
  });
  server.on('request', ({ socket }, res) => void sockets.set(socket, res));

  const oldest = (fits: (last: ServerResponse | undefined, socket: Socket) => boolean) => {
    for (const [socket, last] of sockets) if (fits(last, socket)) return socket;
  };
  let saidAt = Number.NEGATIVE_INFINITY;
  const makeRoom = (newest: Socket) => {
    if (performance.now() - saidAt > 60_000) {
      saidAt = performance.now();
      log.warn(
        { connections: most },
        'too many connections: those that ask for nothing are closed',
      );
    }
    const socket =
      oldest((last, socket) => !isUnderWay(last) && socket !== newest) ??
      // Then whoever has been sending for longest: a request that is whole will soon be answered.
      oldest((last) => last?.req.complete === false) ??
      newest;
    sockets.delete(socket);
    socket.destroy();
  };

  return {
    server,
    async stop({ grace, hurry }) {
      const closed = new Promise((resolve) => server.close(resolve));
      const end = () => server.closeAllConnections();
      const deadline = setTimeout(end, grace);
      if (hurry.aborted) end();
      hurry.addEventListener('abort', end);
      const closeIdle = () => {
        // A connection that was busy at first is idle once its answer is out.
        server.closeIdleConnections();
        // Browsers open some ahead and say nothing on them: nobody would miss an answer.
        for (const [socket, last] of sockets) {
          if (last === undefined && socket.bytesRead === 0) socket.destroy();
        }
      };
      closeIdle();
      const sweep = setInterval(closeIdle, 100);
      await closed;
      clearInterval(sweep);
      clearTimeout(deadline);
      hurry.removeEventListener('abort', end);
    },
  };
}

const isUnderWay = (last: ServerResponse | undefined) =>
  last !== undefined && !last.writableFinished && !last.destroyed;

/** How many files and connections this process may have open; where nobody says, many. */
function filesThatMayBeOpen(): number {
  try {
    const limits = readFileSync('/proc/self/limits', 'utf8');
    return Number(/^Max open files\s+(\d+)/m.exec(limits)?.[1] ?? Number.POSITIVE_INFINITY);
  } catch {
    return Number.POSITIVE_INFINITY;
  }
}
