/** The HTTP server: timeouts, limits of connections and requests, and graceful shutdown. */
import { createServer, type RequestListener, type Server } from 'node:http';
import { Server as NetServer, type Socket } from 'node:net';
import type { Log } from '../log.ts';
import { connectionsAllowed } from '../stores/open-files.ts';
import { throttle } from './throttle.ts';

export interface ListenerLimits {
  /** Timeout for the headers of a request, in ms. It also closes connections without a request. */
  headersTimeoutMs: number;
  /** Timeout for the whole request, in ms. It suffices for 256 kB at 2 kB a second. */
  requestTimeoutMs: number;
  /** Keep-alive timeout, in ms. It is longer than that of Caddy and nginx, so that a proxy does not send a
   *  request on a connection that the server is closing. */
  keepAliveTimeoutMs: number;
  /** Timeout for a client that reads nothing of the response, in ms. */
  socketTimeoutMs: number;
  /** How often the server checks the first two timeouts, in ms. */
  checkIntervalMs: number;
  /** Maximum connections. Further ones are closed. */
  connections: number;
  /** Maximum pending requests on one connection (pipelining). The next one closes it. */
  pendingRequests: number;
}

const defaults: ListenerLimits = {
  headersTimeoutMs: 20_000,
  requestTimeoutMs: 120_000,
  keepAliveTimeoutMs: 130_000,
  socketTimeoutMs: 150_000,
  checkIntervalMs: 5000,
  connections: 15_000,
  pendingRequests: 16,
};

/** Maximum size of the headers of a request, in bytes: ten times what browsers send. */
const maxHeaderSize = 16 * 1024;

/** Maximum headers of a request. Browsers and proxies send about 30; a tiny one takes 20 times its bytes of memory. */
export const maxHeaders = 100;

export interface Listener {
  server: Server;
  /**
   * Stops listening, finishes pending requests and resolves once all connections are closed. It destroys
   * the remaining ones after `graceMs` or when `signal` aborts.
   */
  stop(options: { graceMs: number; signal: AbortSignal }): Promise<void>;
}

/** An open connection. */
interface Connection {
  pendingRequests: number;
  /** Bytes read from the socket when the last response ended. More bytes mean that a request is arriving. */
  bytesReadAtEnd: number;
}

/** Creates a server for `handler` without listening. Tests override the limits. */
export function createListener(
  handler: RequestListener,
  { log, overrides = {} }: { log: Log; overrides?: Partial<ListenerLimits> },
): Listener {
  const limits = { ...defaults, ...overrides };
  const connections = new Map<Socket, Connection>();
  const warnAboutPipelining = throttle(() =>
    log.warn(
      { requests: limits.pendingRequests },
      'closed a connection with too many pipelined requests',
    ),
  );
  const receive: RequestListener = (req, res) => {
    const { socket } = req;
    const connection = connections.get(socket);
    // The parser continues with buffered data of a connection that was just destroyed.
    if (!connection) return;
    // Node queues the responses of a connection, and each takes more memory than the bytes of its request.
    if (connection.pendingRequests === limits.pendingRequests) {
      warnAboutPipelining();
      connections.delete(socket);
      return void socket.destroy();
    }
    connection.pendingRequests += 1;
    res.once('close', () => {
      connection.pendingRequests -= 1;
      connection.bytesReadAtEnd = socket.bytesRead;
    });
    handler(req, res);
  };
  const server = createServer(
    {
      headersTimeout: limits.headersTimeoutMs,
      requestTimeout: limits.requestTimeoutMs,
      keepAliveTimeout: limits.keepAliveTimeoutMs,
      connectionsCheckingInterval: limits.checkIntervalMs,
      maxHeaderSize,
      // `checkHost` responds to a missing Host, with a body and a sentence of the error catalogue.
      requireHostHeader: false,
    },
    receive,
  );
  server.timeout = limits.socketTimeoutMs;
  server.maxHeadersCount = maxHeaders;
  server.maxConnections = Math.min(limits.connections, connectionsAllowed());
  server.on(
    'drop',
    throttle(() =>
      log.warn({ connections: server.maxConnections }, 'too many connections: closing new ones'),
    ),
  );
  // Without a listener Node responds to an unknown `Expect` itself, which bypasses the limit on requests.
  server.on('checkExpectation', receive);
  server.on('connection', (socket: Socket) => {
    connections.set(socket, { pendingRequests: 0, bytesReadAtEnd: 0 });
    socket.once('close', () => connections.delete(socket));
  });

  const closeIdleConnections = () => {
    for (const [socket, { pendingRequests, bytesReadAtEnd }] of connections) {
      if (pendingRequests === 0 && socket.bytesRead === bytesReadAtEnd) socket.destroy();
    }
  };

  return {
    server,
    async stop({ graceMs, signal }) {
      // The close of an HTTP server cuts off clients that are still reading a response, and keeps silent connections.
      const closed = new Promise((resolve) => NetServer.prototype.close.call(server, resolve));
      closeIdleConnections();
      const end = () => server.closeAllConnections();
      const deadline = setTimeout(end, graceMs);
      if (signal.aborted) end();
      signal.addEventListener('abort', end);
      // A busy connection becomes idle after its response.
      const sweep = setInterval(closeIdleConnections, 100);
      await closed;
      clearInterval(sweep);
      clearTimeout(deadline);
      signal.removeEventListener('abort', end);
    },
  };
}
