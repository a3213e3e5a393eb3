/** Assembles the request handler: host check, routing, error handling and metrics. */
import type { IncomingMessage, RequestListener, ServerResponse } from 'node:http';
import express, { type NextFunction, type Request, type Response } from 'express';
import { routes } from '../contract/routes.ts';
import type { Metrics, RequestGroup } from '../health/metrics.ts';
import type { OutageLog } from '../health/outage-log.ts';
import type { ProxyMonitor } from '../health/proxy-monitor.ts';
import { storageErrorSentence } from '../health/storage-errors.ts';
import { backupPath, createBackupHandler } from '../http/backup.ts';
import { createBookPages } from '../http/booking/book-page.ts';
import { bookingPrefix, createBookingPage } from '../http/booking/booking-page.ts';
import { createBookingFeed, feedPrefix } from '../http/booking/feed.ts';
import { type Checkout, checkoutPath, createCheckoutHandler } from '../http/checkout.ts';
import { createContactForm, isFormPost } from '../http/contact-form.ts';
import { createContextFactory } from '../http/create-context.ts';
import { createDownloads } from '../http/downloads.ts';
import { exactUrlOf } from '../http/exact-url.ts';
import { type AdapterOptions, byMethod, get, type Handler } from '../http/handler.ts';
import { createMetricsHandler, type MetricsGuard, type State } from '../http/metrics.ts';
import { createOpenApiHandler, openApiPath } from '../http/openapi/handler.ts';
import { documents } from '../http/pages/documents.ts';
import type { Pages } from '../http/pages/pages.ts';
import { createBodyReader } from '../http/request/body.ts';
import { drain } from '../http/request/drain.ts';
import { createHostCheck } from '../http/request/host.ts';
import { requestIdOf } from '../http/request/request-id.ts';
import { addressBlockOf, compileTrust, originOf } from '../http/request/request-info.ts';
import { pathOf } from '../http/request/url.ts';
import { sendErrorResponse, sendJson, sendRedirect } from '../http/response.ts';
import { createRestCalls } from '../http/rest.ts';
import { createSecurityHeaders } from '../http/security.ts';
import { createSecurityTxt, securityTxtPath } from '../http/security-txt.ts';
import { createSessionReader, type SessionOptions } from '../http/session.ts';
import { createTrpcAdapter, trpcPath } from '../http/trpc.ts';
import { createWebhookHandler, type Webhook } from '../http/webhook.ts';
import type { Log } from '../log.ts';
import type { OpenBackup } from '../maintenance/backup/download.ts';
import type { Services } from '../trpc/context.ts';
import { ApiError, errorResponse, errorResponseOf } from '../trpc/errors.ts';

export interface AppOptions {
  services: Services;
  pages: Pages;
  session: SessionOptions;
  /** Makes a backup and opens it for a download. */
  openBackup: (signal: AbortSignal) => Promise<OpenBackup>;
  /** Process the deliveries of these services; undefined: the endpoint responds with 404. */
  deliveries: Record<keyof typeof webhooks, Webhook | undefined>;
  /** The owner's checkout; undefined: its endpoint responds with 404. */
  checkout: Checkout | undefined;
  /** The email address of security.txt; undefined: there is no such page. */
  securityContact: string | undefined;
  log: Log;
  /** Records storage errors of requests. */
  outages: Pick<OutageLog, 'record'>;
  proxyMonitor: Pick<ProxyMonitor, 'record'>;
  /** As Express's `trust proxy`. */
  trustProxy: boolean | number | string;
  /** The site's own origin, when the owner has set one. */
  publicOrigin: string | undefined;
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
 * Pages are served before Express, which would triple their cost (decision 013).
 */
export function createApp(options: AppOptions): RequestListener {
  const { pages, log, metrics, publicOrigin, checkout, securityContact } = options;
  const https = options.session.secure;
  const trust = compileTrust(options.trustProxy);
  const readSession = createSessionReader(options.session);
  const adapter: AdapterOptions = {
    body: createBodyReader({ addressOf: (req) => addressBlockOf(req, trust), log }),
    createContext: createContextFactory({
      services: options.services,
      readSession,
      trust,
      trustsProxies: Boolean(options.trustProxy),
      publicOrigin,
      https,
      proxyMonitor: options.proxyMonitor,
      log,
    }),
    report(error, req) {
      const call = `${req.method} ${loggedPath(pathOf(req))}`;
      const details = { request: requestIdOf(req), call, error: causeOf(error) };
      const sentence = storageErrorSentence(error);
      if (sentence !== undefined) return options.outages.record(sentence, details);
      log.error(details, 'request failed');
    },
  };

  const sendOk: Handler = (_req, res) => sendJson(res, 200, { ok: true });
  const sendReadiness: Handler = async (req, res) => {
    try {
      await options.isReady();
    } catch (error) {
      adapter.report(error, req);
      return sendErrorResponse(res, {
        ...errorResponseOf(error),
        ...errorResponse('STORAGE_UNAVAILABLE'),
      });
    }
    return sendOk(req, res);
  };
  const notFound: Handler = () => {
    throw new ApiError('NOT_FOUND');
  };
  const servePage = async (req: IncomingMessage, res: ServerResponse) => {
    const origin = originOf(req, { trust, publicOrigin });
    if (pathOf(req) !== '/privacy') return pages.serve(req, res, { origin });
    // Also when the database cannot tell.
    const storesSales = await options.services.analytics.hasSales().catch(() => true);
    return pages.serve(req, res, { origin, storesSales });
  };
  const handleTrpc = createTrpcAdapter({
    ...adapter,
    countRejectedSignIn: metrics.countRejectedSignIn,
  });
  const calls = createRestCalls(adapter);
  const submit = calls[contactPath] ?? notFound;
  const submitForm = createContactForm(pages, adapter);
  const bookingPages = { ...adapter, pages, publicOrigin };
  const bookPages = createBookPages(bookingPages);
  const handleBooking = createBookingPage(bookingPages);
  const handleFeed = createBookingFeed(bookingPages);

  const webhookHandlers = Object.fromEntries(
    Object.entries(webhooks).map(([name, { path, header }]) => {
      const process = options.deliveries[name as keyof typeof webhooks];
      return [
        path,
        process ? byMethod({ POST: createWebhookHandler(process, header, adapter) }) : notFound,
      ];
    }),
  );

  const routeMap = new Map<string, Handler>(
    Object.entries({
      '/healthz': get(sendOk),
      '/readyz': get(sendReadiness),
      '/metrics': createMetricsHandler({
        ...adapter,
        metrics,
        state: options.state,
        guard: options.metricsGuard,
        servePage,
      }),
      [openApiPath]: createOpenApiHandler(),
      ...calls,
      [contactPath]: (req, res) => (isFormPost(req) ? submitForm : submit)(req, res),
      ...createDownloads(adapter),
      [backupPath]: createBackupHandler({ ...adapter, openBackup: options.openBackup }),
      ...bookPages,
      [checkoutPath]: checkout
        ? get(createCheckoutHandler({ ...adapter, checkout, publicOrigin }))
        : notFound,
      '/.well-known/change-password': get((_req, res) =>
        sendRedirect(res, 302, '/analytics/settings'),
      ),
      ...(securityContact && {
        [securityTxtPath]: createSecurityTxt({
          email: securityContact,
          publicOrigin,
          now: options.services.now,
        }),
      }),
      ...webhookHandlers,
    }),
  );
  /** The handler of a path; undefined for a page. */
  const handlerOf = (path: string): Handler | undefined => {
    if (path.startsWith(trpcPath)) return handleTrpc;
    if (path.startsWith(bookingPrefix)) return handleBooking;
    if (path.startsWith(feedPrefix)) return handleFeed;
    return routeMap.get(path) ?? (/^\/api(\/|$)/.test(path) ? notFound : undefined);
  };

  const isPage = (path: string) => documents[path] !== undefined || bookPages[path] !== undefined;

  const handleError = async (error: unknown, req: IncomingMessage, res: ServerResponse) => {
    const response = errorResponseOf(error);
    if (response.status >= 500) adapter.report(error, req);
    // The client must not take a truncated response for a complete one.
    if (res.headersSent) return void res.destroy();
    await drain(req);
    sendErrorResponse(res, response);
  };

  const app = express();
  app.disable('x-powered-by');
  app.use((req, res) => (handlerOf(pathOf(req)) ?? notFound)(req, res));
  // Express recognizes an error handler by its four parameters.
  app.use((error: unknown, req: Request, res: Response, _next: NextFunction) =>
    handleError(error, req, res),
  );

  const setSecurityHeaders = createSecurityHeaders({ https });
  const checkHost = createHostCheck({ trust, publicOrigin, anyHostPaths: probes, log });
  return (req, res) => {
    const path = pathOf(req);
    const startedAt = performance.now();
    res.once('close', () => {
      const status = res.headersSent ? res.statusCode : clientGone;
      metrics.count(groupOf(path), status, performance.now() - startedAt);
    });
    setSecurityHeaders(req, res, () =>
      checkHost(req, res, () => {
        const exactUrl = exactUrlOf(req, isPage);
        if (exactUrl !== undefined) return sendRedirect(res, 308, exactUrl);
        if (handlerOf(path)) return app(req, res);
        servePage(req, res).catch((error: unknown) => handleError(error, req, res));
      }),
    );
  };
}

const contactPath = routes['contact.submit'].path;

/** The webhooks of other services, and the headers of their signatures. */
const webhooks = {
  stripe: { path: '/api/webhooks/stripe', header: 'stripe-signature' },
  calendly: { path: '/api/webhooks/calendly', header: 'calendly-webhook-signature' },
  cal: { path: '/api/webhooks/cal', header: 'x-cal-signature-256' },
};

/** Paths that address this instance, not the site. */
const probes: ReadonlySet<string> = new Set(['/healthz', '/readyz', '/metrics']);

/** Status in the metrics when the client disconnected before the response (nginx's 499). */
const clientGone = 499;

const groups: Record<string, RequestGroup> = {
  [contactPath]: 'contact',
  [routes['analytics.record'].path]: 'activity',
  [routes['auth.login'].path]: 'login',
  [routes['auth.signInWithLink'].path]: 'login',
  [checkoutPath]: 'checkout',
  ...Object.fromEntries(Object.values(webhooks).map(({ path }) => [path, 'webhook' as const])),
  '/healthz': 'probe',
  '/readyz': 'probe',
  '/metrics': 'probe',
};

/** The path without the tokens of bookings and of the calendar feed, which are secret. */
const loggedPath = (path: string) => {
  const secret = [bookingPrefix, feedPrefix].find((prefix) => path.startsWith(prefix));
  return secret ? `${secret}…` : path;
};

/** The metrics group of a path. */
function groupOf(path: string): RequestGroup {
  if (path.startsWith(trpcPath)) return 'native';
  return groups[path] ?? (path.startsWith('/api/') ? 'api' : 'page');
}

/** The original error: tRPC wraps the errors of procedures. */
function causeOf(error: unknown): unknown {
  return error instanceof Error && error.cause !== undefined ? error.cause : error;
}
