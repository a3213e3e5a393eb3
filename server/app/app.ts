/** Assembles the request handler: host check, routing, error handling and metrics. */
import type { IncomingMessage, RequestListener, ServerResponse } from 'node:http';
import type { NextFunction, Request, Response } from 'express';
import { photosPath } from '../contract/photos.ts';
import { routes } from '../contract/routes.ts';
import type { Metrics } from '../health/metrics.ts';
import type { OutageLog } from '../health/outage-log.ts';
import type { ProxyMonitor } from '../health/proxy-monitor.ts';
import { storageErrorSentence } from '../health/storage-errors.ts';
import { backupPath, createBackupHandler } from '../http/backup.ts';
import { addBookPages } from '../http/booking/book-page.ts';
import { addBookingPage } from '../http/booking/booking-page.ts';
import { addBookingFeed } from '../http/booking/feed.ts';
import { type Checkout, checkoutPath, createCheckoutHandler } from '../http/checkout.ts';
import { createContactForm } from '../http/contact-form.ts';
import { createContextFactory } from '../http/create-context.ts';
import { addDownloads } from '../http/downloads.ts';
import { exactUrlOf } from '../http/exact-url.ts';
import { createExpress } from '../http/express.ts';
import { type AdapterOptions, type Handler, routeAdder } from '../http/handler.ts';
import { maxHeaders } from '../http/listener.ts';
import { createMetricsHandler, type MetricsGuard, type State } from '../http/metrics.ts';
import { createOpenApiHandler, openApiPath } from '../http/openapi/handler.ts';
import { setupPath } from '../http/pages/documents.ts';
import type { Pages } from '../http/pages/pages.ts';
import {
  createPhotoHandler,
  createPhotoUpload,
  type LoadPhoto,
  photoPaths,
} from '../http/photos.ts';
import { createBodyReader } from '../http/request/body.ts';
import { createHostCheck } from '../http/request/host.ts';
import { requestIdOf } from '../http/request/request-id.ts';
import { addressBlockOf, originOf, type Trust } from '../http/request/request-info.ts';
import { pathOf } from '../http/request/url.ts';
import { sendErrorResponse, sendJson, sendRedirect } from '../http/response.ts';
import { addRestCalls } from '../http/rest.ts';
import { createSecurityHeaders } from '../http/security.ts';
import { createSecurityTxt, securityTxtPath } from '../http/security-txt.ts';
import { createSessionCookie, createSessionReader, type SessionOptions } from '../http/session.ts';
import { createSiteExport, siteExportPath } from '../http/site-export.ts';
import { createSitePreview, previewPath, type RenderPreview } from '../http/site-preview.ts';
import { createTrpcAdapter, trpcPaths } from '../http/trpc.ts';
import { createWebhookHandler } from '../http/webhook.ts';
import type { Log } from '../log.ts';
import type { OpenBackup } from '../maintenance/backup/download.ts';
import { networkOf } from '../rate-limit/network.ts';
import { ApiError, errorResponse, errorResponseOf } from '../trpc/errors.ts';
import type { Webhook } from '../webhooks/receive.ts';
import type { Services } from './context.ts';

export interface AppOptions {
  services: Services;
  pages: Pages;
  /** Renders a page of a config for the editor. */
  preview: RenderPreview;
  loadPhoto: LoadPhoto;
  /** Adds to the pages the texts of versions that these have not shown. */
  findWords: () => Promise<void>;
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
  const { services, pages, log, metrics, publicOrigin, checkout, securityContact } = options;
  const https = options.session.secure;
  const app = createExpress({ trustProxy: options.trustProxy, https });
  const trust: Trust = app.get('trust proxy fn');
  const adapter: AdapterOptions = {
    body: createBodyReader({ networkOf: (req) => networkOf(addressBlockOf(req)), log }),
    createContext: createContextFactory({
      services,
      readSession: createSessionReader(options.session),
      trustsProxies: Boolean(options.trustProxy),
      publicOrigin,
      https,
      proxyMonitor: options.proxyMonitor,
      log,
    }),
    report(error, req) {
      // The tokens of bookings and of the calendar feed are secret.
      const call = `${req.method} ${pathOf(req).replace(/^(\/(booking|calendar)\/).*/, '$1…')}`;
      const details = { request: requestIdOf(req), call, error: causeOf(error) };
      const sentence = storageErrorSentence(error);
      if (sentence !== undefined) return options.outages.record(sentence, details);
      log.error(details, 'request failed');
    },
  };

  const servePage = async (req: IncomingMessage, res: ServerResponse) => {
    const origin = originOf(req, { trust, publicOrigin });
    if (pathOf(req) === setupPath) {
      const isSetupClosed = !(await services.setup.isOpen());
      return pages.serve(req, res, { origin, isSetupClosed });
    }
    if (pathOf(req) !== '/privacy') return pages.serve(req, res, { origin });
    // Also when the database cannot tell.
    const storesSales = await services.analytics.hasSales().catch(() => true);
    return pages.serve(req, res, { origin, storesSales });
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

  app.use(createSessionCookie(options.session));
  const addRoute = routeAdder(app);
  addRoute('/healthz', 'probe', 'GET', 'HEAD').get(sendOk);
  addRoute('/readyz', 'probe', 'GET', 'HEAD').get(sendReadiness);
  addRoute('/metrics', 'probe').all(
    createMetricsHandler({
      ...adapter,
      metrics,
      state: options.state,
      guard: options.metricsGuard,
      servePage,
    }),
  );
  addRoute(routes['contact.submit'].path, 'contact', 'POST').post(
    createContactForm(pages, adapter),
  );
  addRestCalls(addRoute, adapter);
  addRoute(trpcPaths, 'native').all(
    createTrpcAdapter({ ...adapter, countRejectedSignIn: metrics.countRejectedSignIn }),
  );
  for (const [name, { path, header }] of Object.entries(webhooks)) {
    const process = options.deliveries[name as keyof typeof webhooks];
    if (process) {
      addRoute(path, 'webhook', 'POST').post(createWebhookHandler(process, header, adapter));
    }
  }
  if (checkout) {
    addRoute(checkoutPath, 'checkout', 'GET', 'HEAD').get(
      createCheckoutHandler({ ...adapter, checkout, publicOrigin }),
    );
  }
  const bookingPages = { ...adapter, pages, publicOrigin };
  addBookPages(addRoute, bookingPages);
  addBookingPage(addRoute, bookingPages);
  addBookingFeed(addRoute, bookingPages);
  addDownloads(addRoute, adapter);
  addRoute(new RegExp(`^${previewPath}`), 'api', 'GET').get(
    createSitePreview({ ...adapter, render: options.preview }),
  );
  addRoute(siteExportPath, 'api', 'GET', 'HEAD').get(createSiteExport(adapter));
  addRoute(photosPath, 'api', 'POST').post(createPhotoUpload(adapter));
  addRoute(photoPaths, 'page', 'GET', 'HEAD').get(createPhotoHandler(options.loadPhoto, servePage));
  // Those that the pages have are served before Express.
  addRoute(wordsPaths, 'page', 'GET', 'HEAD').get(async (req, res) => {
    await options.findWords();
    return servePage(req, res);
  });
  addRoute(backupPath, 'api', 'GET', 'HEAD').get(
    createBackupHandler({ ...adapter, openBackup: options.openBackup }),
  );
  addRoute(openApiPath, 'api', 'GET', 'HEAD').get(createOpenApiHandler());
  addRoute('/.well-known/change-password', 'page', 'GET', 'HEAD').get((_req, res) =>
    sendRedirect(res, 302, '/analytics/settings/password'),
  );
  if (securityContact) {
    addRoute(securityTxtPath, 'page', 'GET', 'HEAD').get(
      createSecurityTxt({ email: securityContact, publicOrigin, now: services.now }),
    );
  }
  app.use((req, res) => {
    if (isApi(pathOf(req))) throw new ApiError('NOT_FOUND');
    return servePage(req, res);
  });

  const handleError = (error: unknown, req: IncomingMessage, res: ServerResponse) => {
    const response = errorResponseOf(error);
    if (response.status >= 500) adapter.report(error, req);
    // The client must not take a truncated response for a complete one.
    if (res.headersSent) return void res.destroy();
    sendErrorResponse(res, response);
  };
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
      const group = (res as Partial<Response>).locals?.group ?? (isApi(path) ? 'api' : 'page');
      metrics.count(group, status, performance.now() - startedAt);
    });
    setSecurityHeaders(req, res, () => {
      // The parser drops headers above its limit, which could hide a second Host.
      if (req.rawHeaders.length > 2 * maxHeaders) {
        res.setHeader('Connection', 'close');
        return sendErrorResponse(res, errorResponse('HEADERS_TOO_LARGE'));
      }
      checkHost(req, res, () => {
        const exactUrl = exactUrlOf(req);
        if (exactUrl !== undefined) return sendRedirect(res, 308, exactUrl);
        // Express would also route a URL with a host, which the other checks do not read.
        if (path.startsWith('/') && !pages.has(path)) return app(req, res);
        servePage(req, res).catch((error: unknown) => handleError(error, req, res));
      });
    });
  };
}

const isApi = (path: string) => /^\/api(\/|$)/.test(path);

/** The webhooks of other services, and the headers of their signatures. */
const webhooks = {
  stripe: { path: '/api/webhooks/stripe', header: 'stripe-signature' },
  calendly: { path: '/api/webhooks/calendly', header: 'calendly-webhook-signature' },
  cal: { path: '/api/webhooks/cal', header: 'x-cal-signature-256' },
};

/** The texts of scripts, each version at an address of its own. */
const wordsPaths = /^\/assets\/words-[\w-]+\.js$/;

/** Paths that address this instance, not the site. */
const probes: ReadonlySet<string> = new Set(['/healthz', '/readyz', '/metrics']);

/** Status in the metrics when the client disconnected before the response (nginx's 499). */
const clientGone = 499;

/** The original error: tRPC wraps the errors of procedures. */
function causeOf(error: unknown): unknown {
  return error instanceof Error && error.cause !== undefined ? error.cause : error;
}
