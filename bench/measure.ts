import { type Load, load } from './load.ts';
import type { BenchServer } from './processes.ts';

export const median = (values: number[]): number => {
  const sorted = [...values].sort((a, b) => a - b);
  return sorted[sorted.length >> 1] ?? Number.NaN;
};

/** A row of the table: what was measured, against what, and the target. */
export interface Row {
  target: string;
  what: string;
  ours: string;
  baseline: string;
  ratio: string;
  goal: string;
}

/** What each server is asked in one comparison. */
export interface Contestant {
  server: BenchServer;
  request: Load['request'];
}

/** What a request costs. */
interface Cost {
  /** Microseconds of the server's CPU. */
  cpu: number;
  /** The same of the database server beside it; 0 where there is none. */
  database: number;
  /** Microseconds from sending it to having its answer, on one connection of all. */
  wait: number;
}

/**
 * What each server's requests cost, the median of `rounds`. The servers take turns, so that what else
 * the machine does falls on all of them.
 */
export async function costPerRequest(
  contestants: Contestant[],
  { rounds = 5, duration = 1500, connections = 32 } = {},
): Promise<Cost[]> {
  const costs = contestants.map((): Cost[] => []);
  for (let round = -1; round < rounds; round++) {
    for (const [i, { server, request }] of contestants.entries()) {
      const [cpu, database, begun] = [server.cpu(), databaseOf(server), performance.now()];
      const { requests, refused } = await load({
        port: server.port,
        connections,
        duration,
        request,
      });
      if (refused > 0)
        throw new Error(`${server.name} refused ${refused} of ${requests} requests.`);
      // The first turn warms up.
      if (round < 0) continue;
      costs[i]?.push({
        cpu: (server.cpu() - cpu) / requests,
        database: (databaseOf(server) - database) / requests,
        wait: ((performance.now() - begun) * 1000 * connections) / requests,
      });
    }
  }
  return costs.map((rounds) => ({
    cpu: median(rounds.map(({ cpu }) => cpu)),
    database: median(rounds.map(({ database }) => database)),
    wait: median(rounds.map(({ wait }) => wait)),
  }));
}

const databaseOf = (server: BenchServer) => server.databaseCpu?.() ?? 0;
