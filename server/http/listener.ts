/** The HTTP server: how long a client may take, how many may be connected, and how it ends. */
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
import { onceAMinute } from './once-a-minute.ts';
import { addressBlock } from './request-info.ts';
import type { Trust } from './trust-proxy.ts';

export interface ListenerLimits {
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
  /** Most connections of one address block, unless it is a trusted proxy. One more does the same. */
  connectionsPerAddress: number;
  /** Most unanswered requests on one connection. One more closes it. */
  unanswered: number;
}

const patience: ListenerLimits = {
  headers: 20_000,
  request: 120_000,
  idle: 130_000,
  silence: 150_000,
  lookEvery: 5000,
  connections: 15_000,
  // A browser opens six, so an office of forty stays below this even when none of them is idle.
  connectionsPerAddress: 256,
  unanswered: 16,
};

/** Most bytes of a request's headers: what browsers send is a tenth of it. */
const maxHeaderSize = 16 * 1024;

/** Most headers of a request. Browsers and proxies send about 30; a tiny one takes 20 times its bytes. */
const maxHeaders = 100;

export interface Listener {
  server: Server;
  /**
   * Takes no more requests, finishes those under way and resolves once all connections are closed: by
   * themselves, after `grace` ms, or when `hurry` says so.
   */
  stop(options: { grace: number; hurry: AbortSignal }): Promise<void>;
}

/** An open connection and the requests on it. */
interface Connection {
  socket: Socket;
  /** Connections of the same address block; undefined when the peer is a trusted proxy. */
  neighbours: Set<Connection> | undefined;
  /** The response that is being sent, or else the last one. */
  current: ServerResponse | undefined;
  /** Pipelined requests, the oldest first. Each is handled once the one before it is answered. */
  queue: [IncomingMessage, ServerResponse][];
  /** Bytes that had been read of the socket when the last response ended: more are a request on its way. */
  readAtEnd: number;
}

/**
 * A server for `handler` that does not listen yet. `handler` gets one request of a connection at a time,
 * so that unread answers cannot pile up. Tests override the limits.
 */
export function createListener(
  handler: RequestListener,
  { log, trust, overrides = {} }: { log: Log; trust: Trust; overrides?: Partial<ListenerLimits> },
): Listener {
  const { headers, request, idle, silence, lookEvery, ...most } = { ...patience, ...overrides };
  most.connections = Math.min(most.connections, connectionsAllowed());
  const server = createServer(
    {
      headersTimeout: headers,
      requestTimeout: request,
      keepAliveTimeout: idle,
      connectionsCheckingInterval: lookEvery,
      maxHeaderSize,
      // `checkHost` answers what lacks one, with a body and in the words of the error catalogue.
      requireHostHeader: false,
    },
    receive,
  );
  server.timeout = silence;
  server.maxHeadersCount = maxHeaders;
  // Without a listener Node answers an unknown expectation itself, past the bound on requests.
  server.on('checkExpectation', receive);
  /** The oldest first. A connection that is being destroyed is in neither map. */
  const connections = new Map<Socket, Connection>();
  const byAddress = new Map<string, Set<Connection>>();
  const warnOfMany = onceAMinute(() =>
    log.warn(
      { connections: most.connections },
      'too many connections: those that ask for nothing are closed',
    ),
  );
  const warnOfNeighbours = onceAMinute(() =>
    log.warn(
      { connections: most.connectionsPerAddress },
      'too many connections from one address: idle ones are closed',
    ),
  );
  const warnOfPipelining = onceAMinute(() =>
    log.warn({ requests: most.unanswered }, 'closed a connection with too many pipelined requests'),
  );

  server.on('connection', (socket: Socket) => {
    const address = socket.remoteAddress ?? '';
    const block = trust(address, 0) ? undefined : addressBlock(address);
    const neighbours = block === undefined ? undefined : (byAddress.get(block) ?? new Set());
    const connection: Connection = {
      socket,
      neighbours,
      current: undefined,
      queue: [],
      readAtEnd: 0,
    };
    connections.set(socket, connection);
    // Node resumes the socket after each request that it has parsed.
    socket.on('resume', () => {
      if (connection.queue.length > 0) socket.pause();
    });
    if (block !== undefined && neighbours) byAddress.set(block, neighbours.add(connection));
    socket.once('close', () => {
      forget(connection);
      if (block !== undefined && neighbours?.size === 0) byAddress.delete(block);
    });
    if (neighbours && neighbours.size > most.connectionsPerAddress) {
      warnOfNeighbours();
      makeRoom(neighbours, connection);
    } else if (connections.size > most.connections) {
      warnOfMany();
      makeRoom(connections.values(), connection);
    }
  });

  function receive(req: IncomingMessage, res: ServerResponse): void {
    const connection = connections.get(req.socket);
    // The parser goes on with what it has read of a connection that was just destroyed.
    if (!connection) return;
    const { socket, current, queue } = connection;
    // The parser has dropped what is beyond the limit, which could be a second Host.
    if (req.rawHeaders.length > 2 * maxHeaders) {
      forget(connection);
      if (!server.emit('clientError', tooManyHeaders(), socket)) socket.destroy();
      stopParsing(socket);
      return;
    }
    if (queue.length === 0 && !isUnderWay(current)) {
      handle(connection, req, res);
      return;
    }
    if (queue.push([req, res]) === 1) handleNextAfter(current, connection);
    // Node pauses only above 16 kB of unsent answers, and a queued request takes more memory than its bytes.
    socket.pause();
    if (queue.length < most.unanswered) return;
    warnOfPipelining();
    destroy(connection);
    stopParsing(socket);
  }

  function handle(connection: Connection, req: IncomingMessage, res: ServerResponse): void {
    const { socket } = connection;
    connection.current = res;
    res.once('close', () => {
      connection.readAtEnd = socket.bytesRead;
    });
    handler(req, res);
  }

  function handleNextAfter(res: ServerResponse | undefined, connection: Connection): void {
    // Not at once, so that requests on other connections get their turn.
    res?.once('close', () => setImmediate(handleNext, connection));
  }

  function handleNext(connection: Connection): void {
    const [next, following] = connection.queue;
    // An answer may close the connection (RFC 9112, section 9.6): what follows it is not handled.
    if (!next || !connection.socket.writable) return;
    connection.queue.shift();
    if (connection.queue.length === 0) connection.socket.resume();
    if (following) handleNextAfter(next[1], connection);
    handle(connection, ...next);
  }

  function forget(connection: Connection): void {
    connections.delete(connection.socket);
    connection.neighbours?.delete(connection);
    connection.queue.length = 0;
  }

  function destroy(connection: Connection): void {
    forget(connection);
    connection.socket.destroy();
  }

  // Node's own, which `server.close` calls, closes a connection whose answer a slow reader still receives.
  server.closeIdleConnections = () => {
    for (const { socket, current, queue, readAtEnd } of connections.values()) {
      if (isUnderWay(current) || queue.length > 0) continue;
      if (socket.bytesRead === readAtEnd) socket.destroy();
    }
  };

  /** Destroys one of `candidates`, of which `newest` is the one too many. */
  function makeRoom(candidates: Iterable<Connection>, newest: Connection): void {
    let sending: Connection | undefined;
    for (const connection of candidates) {
      if (connection === newest) continue;
      const last = connection.queue.at(-1)?.[1] ?? connection.current;
      if (!isUnderWay(last)) {
        destroy(connection);
        return;
      }
      // Then the one that has been sending for longest: a request that is whole will soon be answered.
      if (last?.req.complete === false) sending ??= connection;
    }
    destroy(sending ?? newest);
  }

  return {
    server,
    async stop({ grace, hurry }) {
      const closed = new Promise((resolve) => server.close(resolve));
      const end = () => server.closeAllConnections();
      const deadline = setTimeout(end, grace);
      if (hurry.aborted) end();
      hurry.addEventListener('abort', end);
      // A connection that was busy at first is idle once its answer is out.
      const sweep = setInterval(() => server.closeIdleConnections(), 100);
      await closed;
      clearInterval(sweep);
      clearTimeout(deadline);
      hurry.removeEventListener('abort', end);
    },
  };
}

const isUnderWay = (last: ServerResponse | undefined) =>
  last !== undefined && !last.writableFinished && !last.destroyed;

const tooManyHeaders = () =>
  Object.assign(new Error('too many headers'), { code: 'HPE_HEADER_OVERFLOW' });

/**
 * Node 20 to 24 would go on to parse all that was read of a destroyed socket, thousands of requests. Its own
 * callback, for which there is no public interface, makes the parser fail at the next one.
 */
function stopParsing(socket: Socket): void {
  Object.assign(Reflect.get(socket, 'parser') ?? {}, { onIncoming: () => -1 });
}
