/** The HTTP server: timeouts, connection limits and graceful shutdown. */
import {
  createServer,
  type IncomingMessage,
  type RequestListener,
  type Server,
  type ServerResponse,
} from 'node:http';
import type { Socket } from 'node:net';
import { connectionsAllowed } from '../app/open-files.ts';
import type { Log } from '../log.ts';
import { addressBlock, type Trust } from './request/request-info.ts';
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
  /** Maximum connections. The next one closes the oldest idle one. */
  connections: number;
  /** Maximum connections of one address block, except a trusted proxy. The next one closes an idle one. */
  connectionsPerAddress: number;
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
  // A browser opens six, so an office of forty stays below this limit even when all are active.
  connectionsPerAddress: 256,
  pendingRequests: 16,
};

/** Maximum size of the headers of a request, in bytes: ten times what browsers send. */
const maxHeaderSize = 16 * 1024;

/** Maximum headers of a request. Browsers and proxies send about 30; a tiny one takes 20 times its bytes of memory. */
const maxHeaders = 100;

export interface Listener {
  server: Server;
  /**
   * Stops listening, finishes pending requests and resolves once all connections are closed. It destroys
   * the remaining ones after `graceMs` or when `signal` aborts.
   */
  stop(options: { graceMs: number; signal: AbortSignal }): Promise<void>;
}

/** An open connection and the requests on it. */
interface Connection {
  socket: Socket;
  /** All connections of the same address block; undefined when the peer is a trusted proxy. */
  sameBlock: Set<Connection> | undefined;
  /** The response in progress, or else the last one. */
  current: ServerResponse | undefined;
  /** Pipelined requests, oldest first. Each is handled after the response to the one before it. */
  queue: [IncomingMessage, ServerResponse][];
  /** Bytes read from the socket when the last response ended. More bytes mean that a request is arriving. */
  bytesReadAtEnd: number;
}

/**
 * Creates a server for `handler` without listening. It handles one request of a connection at a time, so
 * that unread responses cannot pile up. Tests override the limits.
 */
export function createListener(
  handler: RequestListener,
  { log, trust, overrides = {} }: { log: Log; trust: Trust; overrides?: Partial<ListenerLimits> },
): Listener {
  const limits = { ...defaults, ...overrides };
  limits.connections = Math.min(limits.connections, connectionsAllowed());
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
  // Without a listener Node responds to an unknown `Expect` itself, which bypasses the limit on requests.
  server.on('checkExpectation', receive);
  /** Oldest first. Neither map contains connections that are being destroyed. */
  const connections = new Map<Socket, Connection>();
  const byAddress = new Map<string, Set<Connection>>();
  const warnAboutConnections = throttle(() =>
    log.warn({ connections: limits.connections }, 'too many connections: closing idle ones'),
  );
  const warnAboutAddress = throttle(() =>
    log.warn(
      { connections: limits.connectionsPerAddress },
      'too many connections from one address: closing idle ones',
    ),
  );
  const warnAboutPipelining = throttle(() =>
    log.warn(
      { requests: limits.pendingRequests },
      'closed a connection with too many pipelined requests',
    ),
  );

  server.on('connection', (socket: Socket) => {
    const address = socket.remoteAddress ?? '';
    const block = trust(address, 0) ? undefined : addressBlock(address);
    const sameBlock = block === undefined ? undefined : (byAddress.get(block) ?? new Set());
    const connection: Connection = {
      socket,
      sameBlock,
      current: undefined,
      queue: [],
      bytesReadAtEnd: 0,
    };
    connections.set(socket, connection);
    // Node resumes the socket after each parsed request.
    socket.on('resume', () => {
      if (connection.queue.length > 0) socket.pause();
    });
    if (block !== undefined && sameBlock) byAddress.set(block, sameBlock.add(connection));
    socket.once('close', () => {
      untrack(connection);
      if (block !== undefined && sameBlock?.size === 0) byAddress.delete(block);
    });
    if (sameBlock && sameBlock.size > limits.connectionsPerAddress) {
      warnAboutAddress();
      makeRoom(sameBlock, connection);
    } else if (connections.size > limits.connections) {
      warnAboutConnections();
      makeRoom(connections.values(), connection);
    }
  });

  function receive(req: IncomingMessage, res: ServerResponse): void {
    const connection = connections.get(req.socket);
    // The parser continues with buffered data of a connection that was just destroyed.
    if (!connection) return;
    const { socket, current, queue } = connection;
    // The parser drops headers above its limit, which could hide a second Host.
    if (req.rawHeaders.length > 2 * maxHeaders) {
      untrack(connection);
      if (!server.emit('clientError', tooManyHeaders(), socket)) socket.destroy();
      stopParsing(socket);
      return;
    }
    if (queue.length === 0 && !isPending(current)) {
      handle(connection, req, res);
      return;
    }
    if (queue.push([req, res]) === 1) handleNextAfter(current, connection);
    // Node pauses only above 16 kB of unsent responses, and a queued request takes more memory than its bytes.
    socket.pause();
    if (queue.length < limits.pendingRequests) return;
    warnAboutPipelining();
    destroy(connection);
    stopParsing(socket);
  }

  function handle(connection: Connection, req: IncomingMessage, res: ServerResponse): void {
    const { socket } = connection;
    connection.current = res;
    res.once('close', () => {
      connection.bytesReadAtEnd = socket.bytesRead;
    });
    handler(req, res);
  }

  function handleNextAfter(res: ServerResponse | undefined, connection: Connection): void {
    // Deferred, so that pipelined requests cannot starve other connections.
    res?.once('close', () => setImmediate(handleNext, connection));
  }

  function handleNext(connection: Connection): void {
    const [next, following] = connection.queue;
    // A response may close the connection (RFC 9112, section 9.6); later requests on it are ignored.
    if (!next || !connection.socket.writable) return;
    connection.queue.shift();
    if (connection.queue.length === 0) connection.socket.resume();
    if (following) handleNextAfter(next[1], connection);
    handle(connection, ...next);
  }

  function untrack(connection: Connection): void {
    connections.delete(connection.socket);
    connection.sameBlock?.delete(connection);
    connection.queue.length = 0;
  }

  function destroy(connection: Connection): void {
    untrack(connection);
    connection.socket.destroy();
  }

  // Node's own method, which `server.close` calls, closes connections whose response a slow client is still reading.
  server.closeIdleConnections = () => {
    for (const { socket, current, queue, bytesReadAtEnd } of connections.values()) {
      if (isPending(current) || queue.length > 0) continue;
      if (socket.bytesRead === bytesReadAtEnd) socket.destroy();
    }
  };

  /** Destroys one of `candidates`: the oldest idle one, else the oldest incomplete request, else `newest`. */
  function makeRoom(candidates: Iterable<Connection>, newest: Connection): void {
    let sending: Connection | undefined;
    for (const connection of candidates) {
      if (connection === newest) continue;
      const last = connection.queue.at(-1)?.[1] ?? connection.current;
      if (!isPending(last)) {
        destroy(connection);
        return;
      }
      // Prefer the oldest incomplete request: a complete one soon gets its response.
      if (last?.req.complete === false) sending ??= connection;
    }
    destroy(sending ?? newest);
  }

  return {
    server,
    async stop({ graceMs, signal }) {
      const closed = new Promise((resolve) => server.close(resolve));
      const end = () => server.closeAllConnections();
      const deadline = setTimeout(end, graceMs);
      if (signal.aborted) end();
      signal.addEventListener('abort', end);
      // A busy connection becomes idle after its response.
      const sweep = setInterval(() => server.closeIdleConnections(), 100);
      await closed;
      clearInterval(sweep);
      clearTimeout(deadline);
      signal.removeEventListener('abort', end);
    },
  };
}

const isPending = (last: ServerResponse | undefined) =>
  last !== undefined && !last.writableFinished && !last.destroyed;

const tooManyHeaders = () =>
  Object.assign(new Error('too many headers'), { code: 'HPE_HEADER_OVERFLOW' });

/**
 * Node 20 to 24 keeps parsing the buffered data of a destroyed socket: thousands of requests. A failing
 * `onIncoming`, which is no public interface, stops the parser at the next one.
 */
function stopParsing(socket: Socket): void {
  Object.assign(Reflect.get(socket, 'parser') ?? {}, { onIncoming: () => -1 });
}
