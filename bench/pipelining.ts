/** Memory of the process and waits of other visitors while clients pipeline requests and read no answer. */
import { connect, type Socket } from 'node:net';
import { setTimeout as pause } from 'node:timers/promises';
import type { Row } from './measure.ts';
import { type BenchServer, startShingle } from './processes.ts';

/** How long each attack and the time before it is watched, in ms. */
const watched = 6000;

interface Attack {
  what: string;
  sockets: number;
  /** All that one socket sends. */
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
    // A host of its own makes each answer a whole page that no other answer shares.
    what: '60 sockets with 16 requests each for made-up hosts',
    sockets: 60,
    bytes: (n) => get(`${n}.example`).repeat(16),
  },
  {
    // Each header is six bytes on the wire and some 120 in memory.
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

/** Attacks a server of its own for each row. */
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
  const before = await watch(server);
  const sockets = Array.from({ length: attack.sockets }, (_, n) => attackFrom(server, attack, n));
  const during = await watch(server);
  for (const socket of sockets) socket.destroy();
  const row = (what: string, ours: number, usual: number, unit: string, goal: string): Row => ({
    target: '',
    what: `${what}: ${attack.what}, ${heap}`,
    ours: `${ours.toFixed(0)} ${unit}`,
    baseline: `before it: ${usual.toFixed(0)} ${unit}`,
    ratio: (ours / usual).toFixed(1),
    goal,
  });
  return [
    row('peak memory', during.memory, before.memory, 'MB', '≤ 250 MB'),
    row('slowest other visitor', during.slowest, before.slowest, 'ms', '≤ 1,000 ms'),
  ];
}

function attackFrom({ port }: BenchServer, { bytes }: Attack, n: number): Socket {
  // The server may close it at any time.
  const socket = connect(port, '127.0.0.1').on('error', () => {});
  socket.pause();
  socket.write(bytes(n));
  return socket;
}

/** Asks for the page over and over, on a connection of its own each time. */
async function watch(server: BenchServer): Promise<{ memory: number; slowest: number }> {
  const ends = performance.now() + watched;
  let slowest = 0;
  while (performance.now() < ends) {
    const begun = performance.now();
    const answer = await fetch(`http://127.0.0.1:${server.port}/`, {
      headers: { Connection: 'close' },
    });
    await answer.arrayBuffer();
    if (answer.status !== 200) throw new Error(`A visitor was answered with ${answer.status}.`);
    slowest = Math.max(slowest, performance.now() - begun);
    await pause(20);
  }
  return { memory: server.peakMemory(), slowest };
}
