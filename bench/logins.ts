/** P12: what others wait for while five hundred passwords are tried at once. */
import { connect, type Socket } from 'node:net';
import { startInstance, startPostgres } from './cluster.ts';
import type { Row } from './measure.ts';
import { signIn } from './owner.ts';
import { type BenchServer, startNode, startShingle } from './processes.ts';
import { message } from './requests.ts';

const flood = 500;
/** The baseline hashes them all, so it is spared most. */
const ungatedFlood = 60;

interface Flooded {
  /** Milliseconds that the slowest of the other requests took. */
  slowest: number;
  others: number;
  /** How the logins were answered: how many of which status. */
  statuses: string;
}

/** Floods ours, on either engine, and the baseline, one after the other; ours also with what costs nothing. */
export async function loginRows(): Promise<Row[]> {
  const postgres = await startPostgres();
  const ours = [await startShingle(), await startInstance(postgres.url)];
  const ungated = await startNode('ungated', 'bench/baselines/ungated-login.mjs');
  try {
    const bare = () =>
      underFlood(ungated, { count: ungatedFlood, request: wrongLogin }, [
        () => ask(ungated, 'GET', '/'),
      ]);
    const rows: Row[] = [];
    for (const [i, name] of ['SQLite', 'PostgreSQL'].entries()) {
      const server = ours[i];
      if (server) rows.push(await loginRow(name, server, await bare()));
    }
    return rows;
  } finally {
    await Promise.all([...ours, ungated].map((server) => server.stop()));
    await postgres.stop();
  }
}

async function loginRow(engine: string, server: BenchServer, bare: Flooded): Promise<Row> {
  const hello = { name: 'Ada', email: 'ada@example.com', message: 'Hello' };
  const others = [
    () => ask(server, 'GET', '/'),
    () => ask(server, 'GET', '/readyz'),
    () => ask(server, 'POST', '/api/contact', hello),
  ];
  // Its start is no part of the measurement.
  await signIn(server);
  const bearable = await underFlood(server, { count: flood, request: logout }, others);
  const gated = await underFlood(server, { count: flood, request: wrongLogin }, others);
  return {
    target: 'P12',
    what: `slowest of ${gated.others} others while ${flood} logins come at once (${gated.statuses}), on ${engine}`,
    ours: `${gated.slowest.toFixed(0)} ms`,
    baseline: `${flood} logouts: ${bearable.slowest.toFixed(0)} ms; ungated, ${ungatedFlood} logins: ${bare.slowest.toFixed(0)} ms`,
    ratio: (gated.slowest / bare.slowest).toFixed(3),
    goal: '≤ 1,000 ms',
  };
}

/** Sends the flood in one go, and the others one after the other until the last of it is answered. */
async function underFlood(
  server: BenchServer,
  { count, request }: { count: number; request: () => Buffer },
  others: (() => Promise<Asked>)[],
): Promise<Flooded> {
  // Connected before: what is measured is not how fast this process opens connections.
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
    if (status !== 200) throw new Error(`${server.name} answered another request with ${status}.`);
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

/** The status of the answer to these bytes. */
const statusOf = (socket: Socket, bytes: Buffer) =>
  new Promise<string>((resolve, reject) => {
    socket.once('data', (chunk: Buffer) => {
      resolve(chunk.toString('latin1', 9, 12));
      socket.destroy();
    });
    socket.once('end', () => reject(new Error('A login was not answered.')));
    socket.write(bytes);
  });

let visitors = 0;
/** Somebody who was never here. */
const stranger = () => `X-Forwarded-For: 10.9.${(++visitors >> 8) & 255}.${visitors & 255}`;
const wrongLogin = () =>
  message(
    'POST',
    '/api/admin/login',
    ['Content-Type: application/json', stranger()],
    '{"password":"wrong"}',
  );

/** What costs next to nothing: as many of these say what the machine makes of any burst. */
const logout = () => message('POST', '/api/admin/logout', ['Content-Length: 0', stranger()]);

interface Asked {
  status: number;
  /** Milliseconds to the whole answer. */
  time: number;
}

async function ask(
  { port }: BenchServer,
  method: string,
  path: string,
  input?: unknown,
): Promise<Asked> {
  const [name = '', address = ''] = stranger().split(': ');
  const begun = performance.now();
  const answer = await fetch(`http://127.0.0.1:${port}${path}`, {
    method,
    headers: { [name]: address, 'Content-Type': 'application/json' },
    ...(input !== undefined && { body: JSON.stringify(input) }),
  });
  await answer.arrayBuffer();
  return { status: answer.status, time: performance.now() - begun };
}
