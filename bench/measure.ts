import { type Load, load } from './load.ts';
import type { BenchServer } from './processes.ts';

export const median = (values: number[]): number => {
  const sorted = [...values].sort((a, b) => a - b);
  return sorted[sorted.length >> 1] ?? Number.NaN;
};

/** A row of the printed table: what was measured, its baseline and its goal. */
export interface Row {
  target: string;
  what: string;
  ours: string;
  baseline: string;
  ratio: string;
  goal: string;
}

/** A server and its requests in a comparison. */
export interface Candidate {
  server: BenchServer;
  request: Load['request'];
}

/** Cost of one request, in microseconds. */
export interface Cost {
  /** CPU time of the server. */
  cpu: number;
  /** CPU time of its database server; 0 if it has none. */
  database: number;
  /** Mean time from the request to its response on a connection. */
  latency: number;
}

/**
 * The cost of each candidate's requests: the median of `rounds`. The servers take turns, so that
 * other load on the machine affects all of them.
 */
export async function costPerRequest(
  candidates: Candidate[],
  { rounds = 5, duration = 1500, connections = 32 } = {},
): Promise<Cost[]> {
  const costs = candidates.map((): Cost[] => []);
  for (let round = -1; round < rounds; round++) {
    for (const [i, { server, request }] of candidates.entries()) {
      const [cpu, database, startedAt] = [server.cpu(), databaseCpuOf(server), performance.now()];
      const { requests, failed } = await load({
        port: server.port,
        connections,
        duration,
        request,
      });
      if (failed > 0) {
        throw new Error(`${failed} of ${requests} requests to ${server.name} failed.`);
      }
      // The first round is a warm-up.
      if (round < 0) continue;
      costs[i]?.push({
        cpu: (server.cpu() - cpu) / requests,
        database: (databaseCpuOf(server) - database) / requests,
        latency: ((performance.now() - startedAt) * 1000 * connections) / requests,
      });
    }
  }
  return costs.map((rounds) => ({
    cpu: median(rounds.map(({ cpu }) => cpu)),
    database: median(rounds.map(({ database }) => database)),
    latency: median(rounds.map(({ latency }) => latency)),
  }));
}

const databaseCpuOf = (server: BenchServer) => server.databaseCpu?.() ?? 0;
