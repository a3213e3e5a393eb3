/** Memory and latency of other visitors while clients pipeline requests and read no response. */
import { connect, type Socket } from 'node:net';
import { setTimeout as pause } from 'node:timers/promises';
import type { Row } from './measure.ts';
import { type BenchServer, startShingle } from './processes.ts';

/** How long to measure before and during each attack, in ms. */
const measureMs = 6000;

interface Attack {
  what: string;
  sockets: number;
  /** The bytes that the n-th socket sends. */
  bytes: (n: number) => string;
}

const get = (host: string) => `GET / HTTP/1.1\r\nHost: ${host}\r\n\r\n`;

const withHeaders = (n: number) =>
  `GET /icon-512.png HTTP/1.1\r\nHost: localhost\r\n${'a:b\r\n'.repeat(n - 1)}\r\n`.repeat(15);

const attacks: Attack[] = [
  {
    what: '60 sockets with 65 kB of pipelined requests each',
    sockets: 60,
    bytes: () => get('localhost').repeat(65_536 / get('localhost').length),
  },
  {
    // A different host for each socket prevents responses from sharing a cached page.
    what: '60 sockets with 16 requests each for made-up hosts',
    sockets: 60,
    bytes: (n) => get(`${n}.example`).repeat(16),
  },
  {
    // Each header takes 6 bytes on the wire and about 120 in memory.
    what: '256 sockets with 15 requests of 991 headers each',
    sockets: 256,
    bytes: () => withHeaders(991),
  },
  {
    what: '256 sockets with 15 requests of 100 headers each',
    sockets: 256,
    bytes: () => withHeaders(100),
  },
];

const heaps = [
  { name: 'default heap', env: {} },
  { name: '256 MB heap', env: { NODE_OPTIONS: '--max-old-space-size=256' } },
];

/** Runs each attack on a new server, with each heap size. */
export async function pipeliningRows(): Promise<Row[]> {
  const rows: Row[] = [];
  for (const attack of attacks) {
    for (const heap of heaps) {
      const server = await startShingle({ env: { ...heap.env, TRUST_PROXY: 'off' } });
      try {
        rows.push(...(await rowsOf(server, attack, heap.name)));
      } finally {
        await server.stop();
      }
    }
  }
  return rows;
}

async function rowsOf(server: BenchServer, attack: Attack, heap: string): Promise<Row[]> {
  const before = await measure(server);
  const sockets = Array.from({ length: attack.sockets }, (_, n) => openAttack(server, attack, n));
  const during = await measure(server);
  for (const socket of sockets) socket.destroy();
  const row = (what: string, ours: number, usual: number, unit: string, goal: string): Row => ({
    target: '',
    what: `${what}: ${attack.what}, ${heap}`,
    ours: `${ours.toFixed(0)} ${unit}`,
    baseline: `before the attack: ${usual.toFixed(0)} ${unit}`,
    ratio: (ours / usual).toFixed(1),
    goal,
  });
  return [
    row('peak memory', during.memory, before.memory, 'MB', '≤ 250 MB'),
    row('slowest other visitor', during.slowest, before.slowest, 'ms', '≤ 1,000 ms'),
  ];
}

function openAttack({ port }: BenchServer, { bytes }: Attack, n: number): Socket {
  // The server may close the connection at any time.
  const socket = connect(port, '127.0.0.1').on('error', () => {});
  socket.pause();
  socket.write(bytes(n));
  return socket;
}

/** Requests the page repeatedly, on a new connection each time. */
async function measure(server: BenchServer): Promise<{ memory: number; slowest: number }> {
  const endsAt = performance.now() + measureMs;
  let slowest = 0;
  while (performance.now() < endsAt) {
    const startedAt = performance.now();
    const response = await fetch(`http://127.0.0.1:${server.port}/`, {
      headers: { Connection: 'close' },
    });
    await response.arrayBuffer();
    if (response.status !== 200) throw new Error(`A visitor got status ${response.status}.`);
    slowest = Math.max(slowest, performance.now() - startedAt);
    await pause(20);
  }
  return { memory: server.peakMemory(), slowest };
}
