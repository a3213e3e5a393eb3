/** P12: latency of other requests during five hundred concurrent login attempts. */
import { connect, type Socket } from 'node:net';
import { startInstance, startPostgres } from './cluster.ts';
import type { Row } from './measure.ts';
import { signIn } from './owner.ts';
import { type BenchServer, startNode, startShingle } from './processes.ts';
import { rawRequest } from './requests.ts';

const attempts = 500;
/** The baseline has no throttle and hashes every password, so it gets fewer. */
const baselineAttempts = 60;

interface FloodResult {
  /** Latency of the slowest other request, in milliseconds. */
  slowest: number;
  /** Number of other requests. */
  others: number;
  /** Number of flood responses by status, as text. */
  statuses: string;
}

/** Measures our server on each engine, and the baseline before each. */
export async function loginRows(): Promise<Row[]> {
  const postgres = await startPostgres();
  const ours = [await startShingle(), await startInstance(postgres.url)];
  const unthrottled = await startNode('unthrottled', 'bench/baselines/ungated-login.mjs');
  try {
    const measureBaseline = () =>
      duringFlood(unthrottled, { count: baselineAttempts, request: wrongLogin }, [
        () => timedRequest(unthrottled, 'GET', '/'),
      ]);
    const rows: Row[] = [];
    for (const [i, name] of ['SQLite', 'PostgreSQL'].entries()) {
      const server = ours[i];
      if (server) rows.push(await loginRow(name, server, await measureBaseline()));
    }
    return rows;
  } finally {
    await Promise.all([...ours, unthrottled].map((server) => server.stop()));
    await postgres.stop();
  }
}

async function loginRow(engine: string, server: BenchServer, baseline: FloodResult): Promise<Row> {
  const contactMessage = { name: 'Ada', email: 'ada@example.com', message: 'Hello' };
  const others = [
    () => timedRequest(server, 'GET', '/'),
    () => timedRequest(server, 'GET', '/readyz'),
    () => timedRequest(server, 'POST', '/api/contact', contactMessage),
  ];
  // Warms the server up before the measurement.
  await signIn(server);
  const logouts = await duringFlood(server, { count: attempts, request: logout }, others);
  const logins = await duringFlood(server, { count: attempts, request: wrongLogin }, others);
  return {
    target: 'P12',
    what: `slowest of ${logins.others} others during ${attempts} concurrent logins (${logins.statuses}), on ${engine}`,
    ours: `${logins.slowest.toFixed(0)} ms`,
    baseline: `${attempts} logouts: ${logouts.slowest.toFixed(0)} ms; unthrottled, ${baselineAttempts} logins: ${baseline.slowest.toFixed(0)} ms`,
    ratio: (logins.slowest / baseline.slowest).toFixed(3),
    goal: '≤ 1,000 ms',
  };
}

/**
 * Sends `count` requests at once, and others one by one until every flood request has a response.
 */
async function duringFlood(
  server: BenchServer,
  { count, request }: { count: number; request: () => Buffer },
  others: (() => Promise<TimedResponse>)[],
): Promise<FloodResult> {
  // Connect first, so that the time to open connections is not measured.
  const connections = await Promise.all(Array.from({ length: count }, () => connected(server)));
  let isOver = false;
  const flooding = Promise.all(connections.map((socket) => statusOf(socket, request()))).finally(
    () => {
      isOver = true;
    },
  );
  const times: number[] = [];
  for (let n = 0; !isOver; n++) {
    const { status, time } = (await others[n % others.length]?.()) ?? { status: 0, time: 0 };
    if (status !== 200)
      throw new Error(`${server.name} responded to another request with ${status}.`);
    times.push(time);
  }
  const counts = new Map<string, number>();
  for (const status of await flooding) counts.set(status, (counts.get(status) ?? 0) + 1);
  const statuses = [...counts].map(([status, n]) => `${n} × ${status}`).join(', ');
  return { slowest: Math.max(...times), others: times.length, statuses };
}

const connected = ({ port }: BenchServer) =>
  new Promise<Socket>((resolve, reject) => {
    const socket = connect({ port, host: '127.0.0.1' }, () => resolve(socket));
    socket.on('error', reject);
  });

/** Sends a request; resolves with the status of its response. */
const statusOf = (socket: Socket, bytes: Buffer) =>
  new Promise<string>((resolve, reject) => {
    socket.once('data', (chunk: Buffer) => {
      resolve(chunk.toString('latin1', 9, 12));
      socket.destroy();
    });
    socket.once('end', () => reject(new Error('A login got no response.')));
    socket.write(bytes);
  });

let visitors = 0;
/** The header of a client with a new address. */
const newClient = () => `X-Forwarded-For: 10.9.${(++visitors >> 8) & 255}.${visitors & 255}`;
const wrongLogin = () =>
  rawRequest(
    'POST',
    '/api/admin/login',
    ['Content-Type: application/json', newClient()],
    '{"password":"wrong"}',
  );

/** A cheap request: the same number of these measures the cost of any burst on this machine. */
const logout = () => rawRequest('POST', '/api/admin/logout', ['Content-Length: 0', newClient()]);

interface TimedResponse {
  status: number;
  /** Milliseconds until the end of the response. */
  time: number;
}

async function timedRequest(
  { port }: BenchServer,
  method: string,
  path: string,
  input?: unknown,
): Promise<TimedResponse> {
  const [name = '', address = ''] = newClient().split(': ');
  const startedAt = performance.now();
  const response = await fetch(`http://127.0.0.1:${port}${path}`, {
    method,
    headers: { [name]: address, 'Content-Type': 'application/json' },
    ...(input !== undefined && { body: JSON.stringify(input) }),
  });
  await response.arrayBuffer();
  return { status: response.status, time: performance.now() - startedAt };
}
