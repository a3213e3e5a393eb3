/** Prometheus metrics of the process. */
import { type IntervalHistogram, monitorEventLoopDelay } from 'node:perf_hooks';
import { Counter, Gauge, Histogram, Registry } from 'prom-client';

/** Groups of requests, a label of the metrics. */
export type RequestGroup =
  | 'page'
  | 'activity'
  | 'contact'
  | 'login'
  | 'api'
  | 'native'
  | 'checkout'
  | 'webhook'
  | 'probe';

/** Upper bounds of the histogram buckets, in seconds. */
const buckets = [0.001, 0.005, 0.025, 0.1, 0.5, 2.5, 10];

/** Sampling interval of the event loop delay, in ms. */
const resolution = 20;

export type Metrics = ReturnType<typeof createMetrics>;

/** The current value of a metric that another part of the program holds. */
export interface Reading {
  name: string;
  help: string;
  type: 'counter' | 'gauge';
  value: number;
}

/** Creates the metrics. `close` stops the sampling of the event loop. */
export function createMetrics() {
  const register = new Registry();
  const requests = new Counter({
    name: 'shingle_requests_total',
    help: 'Completed requests; 499: the client closed the connection.',
    labelNames: ['group', 'status'],
    registers: [register],
  });
  const durations = new Histogram({
    name: 'shingle_request_duration_seconds',
    help: 'Time from the head of a request to the end of its response.',
    labelNames: ['group'],
    buckets,
    registers: [register],
  });
  const refused = new Counter({
    name: 'shingle_sign_ins_refused_total',
    help: 'Rejected sign-ins.',
    registers: [register],
  });
  const delay = monitorEventLoopDelay({ resolution });
  delay.enable();

  return {
    /** Counts a request with its status and its duration in ms. */
    count(group: RequestGroup, status: number, ms: number): void {
      durations.observe({ group }, ms / 1000);
      requests.inc({ group, status });
      if (group === 'login' && (status === 401 || status === 429)) refused.inc();
    },
    /** Counts a rejected sign-in of the tRPC adapter, where one response may contain several. */
    countRejectedSignIn: () => refused.inc(),
    /** All metrics in Prometheus's text format, with the current `readings`. */
    async text(readings: readonly Reading[]): Promise<string> {
      const now = new Registry();
      for (const { type, name, help, value } of [...readings, ...processReadings(delay)]) {
        const settings = { name, help, registers: [now] };
        if (type === 'gauge') new Gauge(settings).set(value);
        else new Counter(settings).inc(value);
      }
      delay.reset();
      return `${await register.metrics()}\n${await now.metrics()}`;
    },
    close: () => void delay.disable(),
  };
}

export const counter = (name: string, help: string, value: number): Reading => ({
  name,
  help,
  type: 'counter',
  value,
});

export const gauge = (name: string, help: string, value: number): Reading => ({
  name,
  help,
  type: 'gauge',
  value,
});

/** Metrics of the process. The library's own collectors cannot be stopped when a site closes. */
function processReadings(delay: IntervalHistogram): Reading[] {
  const lag = (nanoseconds: number) => Math.max(0, nanoseconds / 1e9 - resolution / 1000);
  const { user, system } = process.cpuUsage();
  return [
    gauge(
      'nodejs_eventloop_lag_p99_seconds',
      '99 of 100 looks since the last scrape.',
      lag(delay.percentile(99)),
    ),
    gauge('nodejs_eventloop_lag_max_seconds', 'The longest since the last scrape.', lag(delay.max)),
    counter('process_cpu_seconds_total', 'User and system.', (user + system) / 1e6),
    gauge('process_resident_memory_bytes', 'Resident memory.', process.memoryUsage.rss()),
    gauge('process_uptime_seconds', 'Since the start.', process.uptime()),
  ];
}
