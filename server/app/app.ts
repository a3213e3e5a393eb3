/** The order of things, to be read like a list. */
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
  /** Takes Stripe's deliveries; without it they have no address. */
  webhook: Webhook | undefined;
  /** Where the owner takes payments; without it the way there has no address. */
  checkout: Checkout | undefined;
  log: Log;
  /** Is told of the faults of the place of storage that requests meet. */
  outages: Pick<OutageLog, 'record'>;
  /** As Express's `trust proxy`. */
  trustProxy: boolean | number | string;
  /** The site's own origin, when the owner has set one. */
  publicOrigin: string | undefined;
  /** Names of the calendars that cannot be framed now, as a `Scene` has them. */
  refusedCalendars: () => string;
  /** Resolves when a write has reached the disk, or did a moment ago. */
  isReady: () => Promise<void>;
  metrics: Metrics;
  metricsGuard: MetricsGuard;
  /** What the database and the outbox say of themselves. */
  state: () => Promise<State>;
}

/**
 * Builds the whole site. It listens to nothing and holds no globals.
 *
 * Express carries it; but its own work costs more than most answers, so the calls that come most
 * often go past it to the very same function.
 */
export function createApp(options: AppOptions): RequestListener {
  const { services, pages, log, metrics, publicOrigin, refusedCalendars } = options;
  const app = express();
  app.disable('x-powered-by');
  const trust = compileTrust(options.trustProxy);
  const readSession = createSessionReader(options.session);
  const secure = createSecurityHeaders({ https: options.session.secure });
  const door = {
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
      const facts = { request: requestIdOf(req), call, error: causeOf(error) };
      const fault = storageErrorSentence(error);
      if (fault !== undefined) return options.outages.record(fault, facts);
      log.error(facts, 'a request failed');
    },
  };
  const rest = createRestAdapter(door);
  const native = createTrpcAdapter({ ...door, signInRefused: metrics.signInRefused });
  const contactForm = createContactForm(pages, door);
  const stripe = createStripeHandler(options.webhook, door);
  const checkout = createCheckoutHandler({ ...door, checkout: options.checkout, publicOrigin });
  const download = createDownloads(door);
  const checkHost = createHostCheck({ trust, publicOrigin, anyHost: probes, log });
  const showMetrics = createMetricsHandler({ metrics, state: options.state });

  const answer = async (req: IncomingMessage, res: ServerResponse): Promise<void> => {
    const path = pathOf(req);
    if (path.startsWith(trpcPath)) return native(req, res);
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
  app.use(answer);
  app.use((error: unknown, req: Request, res: Response, _next: NextFunction) => {
    door.report(error, req);
    const fault = errorResponseOf(error);
    sendErrorResponse(res, {
      ...fault,
      status: req.path === '/readyz' ? 503 : Math.max(500, fault.status),
    });
  });

  return (req, res) => {
    secure(res);
    const begun = performance.now();
    const isAdmitted = checkHost(req, res);
    const group = isAdmitted ? hot.get(`${req.method} ${req.url}`) : undefined;
    if (group === undefined) {
      res.once('close', () => {
        const status = res.headersSent ? res.statusCode : clientGone;
        metrics.count(groupOf(pathOf(req)), status, performance.now() - begun);
      });
      return isAdmitted ? app(req, res) : undefined;
    }
    const counted = () => metrics.count(group, res.statusCode, performance.now() - begun);
    answer(req, res).then(counted, (error: unknown) => {
      door.report(error, req);
      sendErrorResponse(res, errorResponseOf(error));
      counted();
    });
  };
}

/** The calls that come most often, as method and address, and what they are counted as. */
const hot = new Map<string, RequestGroup>([
  ['GET /', 'page'],
  [`POST ${routes['analytics.record'].path}`, 'activity'],
  [`POST ${routes['contact.submit'].path}`, 'contact'],
  // Not often, but five hundred at once when somebody guesses.
  [`POST ${routes['auth.login'].path}`, 'login'],
]);

/** Nobody was there any more to be answered. */
const clientGone = 499;

/** What asks for this instance, not for the site. */
const probes: ReadonlySet<string> = new Set(['/healthz', '/readyz', metricsPath]);

const groups = new Map<string, RequestGroup>([
  ...[...hot].map(([call, group]) => [call.replace(/^\w+ /, ''), group] as const),
  [routes['auth.signInWithLink'].path, 'login'],
  [checkoutPath, 'checkout'],
  [stripeWebhookPath, 'webhook'],
  ...[...probes].map((path) => [path, 'probe'] as const),
]);

/** What a request to this path is counted as. */
function groupOf(path: string): RequestGroup {
  if (path.startsWith(trpcPath)) return 'native';
  return groups.get(path) ?? (path.startsWith('/api/') ? 'api' : 'page');
}

/** What really happened: tRPC wraps what a procedure throws. */
function causeOf(error: unknown): unknown {
  return error instanceof Error && error.cause !== undefined ? error.cause : error;
}
