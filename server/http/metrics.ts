/** Who may read the numbers of the process: the signed-in owner, and programs of theirs. */
import type { IncomingMessage, ServerResponse } from 'node:http';
import type { OutboxState } from '../email/store.ts';
import { counter, gauge, type Metrics, type Reading } from '../health/metrics.ts';
import { isSameSecret } from '../same-secret.ts';
import type { Session } from '../trpc/context.ts';
import { sendWrongMethod } from './error-response.ts';
import { bearerOf } from './request-info.ts';

export const metricsPath = '/metrics';

/** What the database and the outbox say of themselves. */
export interface State {
  commits: number;
  /** Writes that those commits held. */
  writes: number;
  /** Writes that wait for a commit. */
  waiting: number;
  /** Undefined: it cannot be read now. */
  mail: OutboxState | undefined;
}

export function createMetricsHandler({
  metrics,
  state,
}: {
  metrics: Metrics;
  state: () => Promise<State>;
}) {
  return async function metricsDoor(req: IncomingMessage, res: ServerResponse): Promise<void> {
    if (req.method !== 'GET' && req.method !== 'HEAD') return sendWrongMethod(res, 'GET, HEAD');
    const body = Buffer.from(await metrics.text(readingsOf(await state())));
    res
      .writeHead(200, {
        'Content-Type': 'text/plain; version=0.0.4; charset=utf-8',
        'Content-Length': body.length,
        'Cache-Control': 'no-store',
      })
      .end(req.method === 'HEAD' ? undefined : body);
  };
}

const readingsOf = ({ commits, writes, waiting, mail }: State): Reading[] => [
  counter('shingle_commits_total', 'Commits that reached the disk.', commits),
  counter('shingle_writes_total', 'Writes that those commits held.', writes),
  gauge('shingle_writes_waiting', 'Writes that wait for a commit.', waiting),
  ...(mail === undefined ? [] : lettersOf(mail)),
];

const lettersOf = ({ waiting, refused }: OutboxState): Reading[] => [
  gauge('shingle_letters_waiting', 'Letters that are on their way.', waiting),
  gauge('shingle_letters_refused', 'Letters that the mail server refused for good.', refused),
];

export interface MetricsGuard {
  /** What a program shows to read them from anywhere. */
  key: string | undefined;
  /** Whether a program on this machine reads them without a key. */
  trustsMachine: boolean;
}

/** Whether whoever asks may read them. Everybody else is told that there is nothing. */
export async function mayReadMetrics(
  req: IncomingMessage,
  { key, trustsMachine, session }: MetricsGuard & { session: Session },
): Promise<boolean> {
  const shown = bearerOf(req.headers.authorization);
  if (key !== undefined && shown !== undefined && isSameSecret(shown, key)) return true;
  return (trustsMachine && isOfThisMachine(req)) || session.isAdmin();
}

/** What proxies add to a request, and browsers: a program beside us sends neither. */
const telltale =
  /^(forwarded|via|x-forwarded-.*|x-real-ip|x-client-ip|x-original-.*|true-client-ip|cf-.*|fly-.*|origin|referer|sec-fetch-site)$/;

/**
 * Whether a program on this machine asks, and for nobody else. A proxy on the same machine comes from
 * the same address: it is known by what it adds, by the name of the site it passes on, or by the
 * HTTP/1.0 that nginx speaks unless it is told otherwise. One that adds nothing is not, since its
 * visitors choose the name: so this counts only where the settings speak of no proxy. A browser is no
 * such program: a page that has taken over a name could make it ask.
 */
function isOfThisMachine(req: IncomingMessage): boolean {
  const address = req.socket.remoteAddress ?? '';
  if (!/^(127\.\d+\.\d+\.\d+|::1|::ffff:127\.\d+\.\d+\.\d+)$/.test(address)) return false;
  if (req.httpVersion !== '1.1') return false;
  if (!/^(localhost|127\.\d+\.\d+\.\d+|\[::1\])(:\d+)?$/i.test(req.headers.host ?? ''))
    return false;
  return !Object.keys(req.headers).some((name) => telltale.test(name));
}
