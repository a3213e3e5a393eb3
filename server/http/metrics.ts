/** The metrics endpoint and its access control: the signed-in owner, a bearer key, or a local program. */
import type { IncomingMessage } from 'node:http';
import type { Context } from '../app/context.ts';
import type { OutboxState } from '../email/store.ts';
import { counter, gauge, type Metrics, type Reading } from '../health/metrics.ts';
import { isSameSecret } from '../text/same-secret.ts';
import { limitWrongKeys } from '../trpc/trpc.ts';
import type { AdapterOptions, Handler } from './handler.ts';
import { sendWrongMethod } from './response.ts';

/** The state of the database and the outbox. */
export interface State {
  commits: number;
  /** Writes in those commits. */
  writes: number;
  /** Writes in the queue. */
  waiting: number;
  /** Undefined when the database cannot be read. */
  mail: OutboxState | undefined;
}

export interface MetricsGuard {
  /** The bearer key; undefined: no key grants access. */
  key: string | undefined;
  /** Whether a program on this machine has access without a key. */
  trustsMachine: boolean;
}

interface MetricsOptions extends Pick<AdapterOptions, 'createContext'> {
  metrics: Metrics;
  state: () => Promise<State>;
  guard: MetricsGuard;
  /** Serves the not-found page to everybody else. */
  servePage: Handler;
}

/** Creates the handler of all methods that responds with all metrics in Prometheus's text format. */
export function createMetricsHandler(options: MetricsOptions): Handler {
  const { metrics, state, guard, createContext, servePage } = options;
  const sendMetrics: Handler = async (req, res) => {
    if (req.method !== 'GET' && req.method !== 'HEAD') return sendWrongMethod(res, 'GET, HEAD');
    const body = Buffer.from(await metrics.text(readingsOf(await state())));
    res
      .writeHead(200, {
        'Content-Type': 'text/plain; version=0.0.4; charset=utf-8',
        'Content-Length': body.length,
        'Cache-Control': 'no-store',
      })
      .end(body);
  };
  return async (req, res) => {
    const ctx = createContext(req, res);
    const isAllowed =
      (guard.trustsMachine && isLocalProgram(req)) ||
      (await hasKey(ctx, guard.key)) ||
      (await ctx.session.isAdmin());
    return (isAllowed ? sendMetrics : servePage)(req, res);
  };
}

const readingsOf = ({ commits, writes, waiting, mail }: State): Reading[] => [
  counter('shingle_commits_total', 'Commits that reached the disk.', commits),
  counter('shingle_writes_total', 'Writes in those commits.', writes),
  gauge('shingle_writes_waiting', 'Writes that wait for a commit.', waiting),
  ...(mail === undefined ? [] : outboxReadings(mail)),
];

const outboxReadings = ({ waiting, refused }: OutboxState): Reading[] => [
  gauge('shingle_emails_waiting', 'Emails that wait to be sent.', waiting),
  gauge('shingle_emails_refused', 'Emails that the mail server rejected for good.', refused),
];

/** Wrong keys count with wrong API keys. Throws `RATE_LIMITED` when an address has used up their number. */
async function hasKey(ctx: Context, key: string | undefined): Promise<boolean> {
  const { bearer } = ctx.request;
  if (key === undefined || bearer === undefined) return false;
  const found = await limitWrongKeys(ctx, (isThrottled) =>
    !isThrottled && isSameSecret(bearer, key) ? key : undefined,
  );
  return found !== undefined;
}

/** Headers that proxies or browsers add. A local program sends none of them. */
const proxyOrBrowserHeader =
  /^(forwarded|via|x-forwarded-.*|x-real-ip|x-client-ip|x-original-.*|true-client-ip|cf-.*|fly-.*|origin|referer|sec-fetch-site)$/;

/**
 * Whether the request comes from a program on this machine, not from a proxy (which adds headers, passes the
 * site's host, or uses nginx's default HTTP/1.0) or a browser (DNS rebinding). A proxy that adds nothing is
 * not detected, so callers use this only when no proxy is configured.
 */
function isLocalProgram(req: IncomingMessage): boolean {
  const address = req.socket.remoteAddress ?? '';
  if (!/^(127\.\d+\.\d+\.\d+|::1|::ffff:127\.\d+\.\d+\.\d+)$/.test(address)) return false;
  if (req.httpVersion !== '1.1') return false;
  if (!/^(localhost|127\.\d+\.\d+\.\d+|\[::1\])(:\d+)?$/i.test(req.headers.host ?? ''))
    return false;
  return !Object.keys(req.headers).some((name) => proxyOrBrowserHeader.test(name));
}
