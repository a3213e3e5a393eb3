/**
 * What the process has done, as numbers for a monitoring system. Counting costs a request a few
 * additions: what is counted is looked up by fixed names, and put into words when somebody asks.
 */
import { monitorEventLoopDelay } from 'node:perf_hooks';

/** The kinds of requests that are told apart. */
const requestGroups = [
  'page',
  'activity',
  'contact',
  'login',
  'api',
  'native',
  'checkout',
  'webhook',
  'probe',
] as const;
export type RequestGroup = (typeof requestGroups)[number];

/** Upper ends of the classes of durations, in seconds. */
const bounds = [0.001, 0.005, 0.025, 0.1, 0.5, 2.5, 10];

/** How often the event loop is looked at, in ms. */
const resolution = 20;

export interface Metrics {
  /** A request was answered with `status` after so many milliseconds. */
  count(group: RequestGroup, status: number, ms: number): void;
  /** Somebody was not let in who came by the native door: there one answer holds several. */
  signInRefused(): void;
  /** All of it in Prometheus's text format, with `gauges` as they are now, each by its name and help. */
  text(gauges: readonly Gauge[]): string;
  close(): void;
}

export interface Gauge {
  name: string;
  help: string;
  type: 'counter' | 'gauge';
  value: number;
}

interface Durations {
  byStatus: Map<number, number>;
  /** How many took no longer than each bound and longer than the one before; the last: all others. */
  classes: number[];
  seconds: number;
  n: number;
}

/** Begins to count. */
export function createMetrics(): Metrics {
  const of = new Map<RequestGroup, Durations>(
    requestGroups.map((group) => [
      group,
      { byStatus: new Map(), classes: Array(bounds.length + 1).fill(0), seconds: 0, n: 0 },
    ]),
  );
  const delay = monitorEventLoopDelay({ resolution });
  delay.enable();
  let refused = 0;

  return {
    count(group, status, ms) {
      const durations = of.get(group);
      if (!durations) return;
      const { byStatus, classes } = durations;
      const seconds = ms / 1000;
      let place = 0;
      while (place < bounds.length && seconds > (bounds[place] ?? 0)) place += 1;
      classes[place] = (classes[place] ?? 0) + 1;
      byStatus.set(status, (byStatus.get(status) ?? 0) + 1);
      durations.seconds += seconds;
      durations.n += 1;
      if (group === 'login' && (status === 401 || status === 429)) refused += 1;
    },
    signInRefused() {
      refused += 1;
    },
    text(gauges) {
      const lines = [...requestLines(of), ...durationLines(of)];
      const lag = (nanoseconds: number) => Math.max(0, nanoseconds / 1e9 - resolution / 1000);
      const { user, system } = process.cpuUsage();
      const all: Gauge[] = [
        ...gauges,
        counter('shingle_sign_ins_refused_total', 'Sign-ins that were not let in.', refused),
        gauge(
          'nodejs_eventloop_lag_p99_seconds',
          '99 of 100 looks since the last scrape.',
          lag(delay.percentile(99)),
        ),
        gauge(
          'nodejs_eventloop_lag_max_seconds',
          'The longest since the last scrape.',
          lag(delay.max),
        ),
        counter('process_cpu_seconds_total', 'User and system.', (user + system) / 1e6),
        gauge('process_resident_memory_bytes', 'Resident memory.', process.memoryUsage.rss()),
        gauge('process_uptime_seconds', 'Since the start.', process.uptime()),
      ];
      delay.reset();
      for (const { name, help, type, value } of all) {
        lines.push(`# HELP ${name} ${help}`, `# TYPE ${name} ${type}`, `${name} ${value}`);
      }
      return `${lines.join('\n')}\n`;
    },
    close: () => void delay.disable(),
  };
}

export const counter = (name: string, help: string, value: number): Gauge => ({
  name,
  help,
  type: 'counter',
  value,
});

export const gauge = (name: string, help: string, value: number): Gauge => ({
  name,
  help,
  type: 'gauge',
  value,
});

function requestLines(of: Map<RequestGroup, Durations>): string[] {
  const name = 'shingle_requests_total';
  return [
    `# HELP ${name} Requests that were answered; 499: the client had gone.`,
    `# TYPE ${name} counter`,
    ...[...of].flatMap(([group, { byStatus }]) =>
      [...byStatus].map(([status, n]) => `${name}{group="${group}",status="${status}"} ${n}`),
    ),
  ];
}

function durationLines(of: Map<RequestGroup, Durations>): string[] {
  const name = 'shingle_request_duration_seconds';
  const lines = [`# HELP ${name} From a request’s head to its answer.`, `# TYPE ${name} histogram`];
  for (const [group, { classes, seconds, n }] of of) {
    if (n === 0) continue;
    let sum = 0;
    for (const [i, bound] of bounds.entries()) {
      sum += classes[i] ?? 0;
      lines.push(`${name}_bucket{group="${group}",le="${bound}"} ${sum}`);
    }
    lines.push(
      `${name}_bucket{group="${group}",le="+Inf"} ${n}`,
      `${name}_sum{group="${group}"} ${seconds}`,
      `${name}_count{group="${group}"} ${n}`,
    );
  }
  return lines;
}
