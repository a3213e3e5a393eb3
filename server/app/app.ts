/** Assembles the request handler: host check, routing, error handling and metrics. */
import type { IncomingMessage, RequestListener, ServerResponse } from 'node:http';
import express, { type NextFunction, type Request, type Response } from 'express';
import { routes } from '../contract/routes.ts';
import type { Metrics, RequestGroup } from '../health/metrics.ts';
import type { OutageLog } from '../health/outage-log.ts';
import { storageErrorSentence } from '../health/storage-errors.ts';
import { createBodyReader } from '../http/body.ts';
import { type Checkout, checkoutPath, createCheckoutHandler } from '../http/checkout.ts';
import { createContactForm, isContactForm } from '../http/contact-form.ts';
import { createContextFactory } from '../http/create-context.ts';
import { createDownloads, isDownload } from '../http/downloads.ts';
import { sendErrorResponse, sendJson, sendWrongMethod } from '../http/error-response.ts';
import { createHostCheck } from '../http/host.ts';
import {
  createMetricsHandler,
  type MetricsGuard,
  mayReadMetrics,
  metricsPath,
  type State,
} from '../http/metrics.ts';
import { type Pages, pathOf } from '../http/pages.ts';
import { requestIdOf } from '../http/request-id.ts';
import { addressBlockOf, originOf } from '../http/request-info.ts';
import { createRestAdapter } from '../http/rest.ts';
import { createSecurityHeaders } from '../http/security.ts';
import { createSessionReader, type SessionOptions } from '../http/session.ts';
import { createStripeHandler, stripeWebhookPath } from '../http/stripe-webhook.ts';
import { createTrpcAdapter, trpcPath } from '../http/trpc.ts';
import { compileTrust } from '../http/trust-proxy.ts';
import type { Log } from '../log.ts';
import type { Webhook } from '../stripe/webhook.ts';
import type { Services } from '../trpc/context.ts';
import { errorResponseOf } from '../trpc/errors.ts';

export interface AppOptions {
  services: Services;
  pages: Pages;
  session: SessionOptions;
  /** Ingests Stripe's webhook events; undefined: the endpoint responds with 404. */
  webhook: Webhook | undefined;
  /** The owner's checkout; undefined: its endpoint responds with 404. */
  checkout: Checkout | undefined;
  log: Log;
  /** Records storage errors of requests. */
  outages: Pick<OutageLog, 'record'>;
  /** As Express's `trust proxy`. */
  trustProxy: boolean | number | string;
  /** The site's own origin, when the owner has set one. */
  publicOrigin: string | undefined;
  /** Names of the calendars that cannot be framed now, as in `RenderContext`. */
  refusedCalendars: () => string;
  /** Resolves when a recent write has reached the disk. */
  isReady: () => Promise<void>;
  metrics: Metrics;
  metricsGuard: MetricsGuard;
  /** The state of the database and the outbox. */
  state: () => Promise<State>;
}

/**
 * Creates the request handler of the site. It does not listen and has no global state.
 *
 * Express costs more than most responses, so the most frequent calls bypass it and run the same function.
 */
export function createApp(options: AppOptions): RequestListener {
  const { services, pages, log, metrics, publicOrigin, refusedCalendars } = options;
  const app = express();
  app.disable('x-powered-by');
  const trust = compileTrust(options.trustProxy);
  const readSession = createSessionReader(options.session);
  const secure = createSecurityHeaders({ https: options.session.secure });
  const adapter = {
    body: createBodyReader({ addressOf: (req) => addressBlockOf(req, trust), log }),
    createContext: createContextFactory({
      services,
      readSession,
      trust,
      trustsProxies: Boolean(options.trustProxy),
      publicOrigin,
      https: options.session.secure,
      log,
    }),
    report(error: unknown, req: IncomingMessage) {
      const call = `${req.method} ${pathOf(req)}`;
      const details = { request: requestIdOf(req), call, error: causeOf(error) };
      const sentence = storageErrorSentence(error);
      if (sentence !== undefined) return options.outages.record(sentence, details);
      log.error(details, 'a request failed');
    },
  };
  const rest = createRestAdapter(adapter);
  const handleTrpc = createTrpcAdapter({
    ...adapter,
    countRejectedSignIn: metrics.countRejectedSignIn,
  });
  const contactForm = createContactForm(pages, adapter);
  const stripe = createStripeHandler(options.webhook, adapter);
  const checkout = createCheckoutHandler({ ...adapter, checkout: options.checkout, publicOrigin });
  const download = createDownloads(adapter);
  const checkHost = createHostCheck({ trust, publicOrigin, anyHostPaths: probes, log });
  const showMetrics = createMetricsHandler({ metrics, state: options.state });

  const route = async (req: IncomingMessage, res: ServerResponse): Promise<void> => {
    const path = pathOf(req);
    if (path.startsWith(trpcPath)) return handleTrpc(req, res);
    if (isContactForm(req, path)) return contactForm(req, res);
    if (path === stripeWebhookPath) return stripe(req, res);
    if (path === checkoutPath) return checkout(req, res);
    if (isDownload(path)) return download(req, res, path);
    if (path === '/api' || path.startsWith('/api/')) return rest(req, res);
    if (path === metricsPath) {
      const session = readSession(req, res);
      if (await mayReadMetrics(req, { ...options.metricsGuard, session }))
        return showMetrics(req, res);
    }
    const origin = originOf(req, { trust, publicOrigin });
    return pages.serve(req, res, { origin, refused: refusedCalendars() });
  };

  const wrongMethod = (_req: Request, res: Response) => sendWrongMethod(res, 'GET, HEAD');
  app
    .route('/healthz')
    .get((_req, res) => sendJson(res, 200, { ok: true }))
    .all(wrongMethod);
  app
    .route('/readyz')
    .get(async (_req, res) => {
      await options.isReady();
      sendJson(res, 200, { ok: true });
    })
    .all(wrongMethod);
  app.use(route);
  app.use((error: unknown, req: Request, res: Response, _next: NextFunction) => {
    adapter.report(error, req);
    const response = errorResponseOf(error);
    sendErrorResponse(res, {
      ...response,
      status: req.path === '/readyz' ? 503 : Math.max(500, response.status),
    });
  });

  return (req, res) => {
    secure(res);
    const startedAt = performance.now();
    const isAdmitted = checkHost(req, res);
    const group = isAdmitted ? hot.get(`${req.method} ${req.url}`) : undefined;
    if (group === undefined) {
      res.once('close', () => {
        const status = res.headersSent ? res.statusCode : clientGone;
        metrics.count(groupOf(pathOf(req)), status, performance.now() - startedAt);
      });
      return isAdmitted ? app(req, res) : undefined;
    }
    const counted = () => metrics.count(group, res.statusCode, performance.now() - startedAt);
    route(req, res).then(counted, (error: unknown) => {
      adapter.report(error, req);
      sendErrorResponse(res, errorResponseOf(error));
      counted();
    });
  };
}

/** The most frequent calls, by method and path, with their metrics group. */
const hot = new Map<string, RequestGroup>([
  ['GET /', 'page'],
  [`POST ${routes['analytics.record'].path}`, 'activity'],
  [`POST ${routes['contact.submit'].path}`, 'contact'],
  // Rare, but a password attack sends five hundred at once.
  [`POST ${routes['auth.login'].path}`, 'login'],
]);

/** Status in the metrics when the client disconnected before the response (nginx's 499). */
const clientGone = 499;

/** Paths that address this instance, not the site. */
const probes: ReadonlySet<string> = new Set(['/healthz', '/readyz', metricsPath]);

const groups = new Map<string, RequestGroup>([
  ...[...hot].map(([call, group]) => [call.replace(/^\w+ /, ''), group] as const),
  [routes['auth.signInWithLink'].path, 'login'],
  [checkoutPath, 'checkout'],
  [stripeWebhookPath, 'webhook'],
  ...[...probes].map((path) => [path, 'probe'] as const),
]);

/** The metrics group of a path. */
function groupOf(path: string): RequestGroup {
  if (path.startsWith(trpcPath)) return 'native';
  return groups.get(path) ?? (path.startsWith('/api/') ? 'api' : 'page');
}

/** The original error: tRPC wraps the errors of procedures. */
function causeOf(error: unknown): unknown {
  return error instanceof Error && error.cause !== undefined ? error.cause : error;
}
