/** The order of things, to be read like a list. */
import type { IncomingMessage, ServerResponse } from 'node:http';
import express, { type Express, type NextFunction, type Request, type Response } from 'express';
import type { Services } from './context.ts';
import { faultOf } from './errors.ts';
import { createContactForm, isContactForm } from './http/contact-form.ts';
import { factsOf } from './http/facts.ts';
import { createNativeDoor, nativePath } from './http/native.ts';
import { type Pages, pathOf } from './http/pages.ts';
import { createRestDoor, sendFault } from './http/rest.ts';
import { createSecurityHeaders } from './http/security.ts';
import { createSessionReader, type SessionOptions } from './http/session.ts';
import type { Log } from './log.ts';

export interface AppOptions {
  services: Services;
  pages: Pages;
  session: SessionOptions;
  log: Log;
  /** As Express's `trust proxy`. */
  trustProxy: boolean | number | string;
  /** The site's own origin, when the owner has set one. */
  publicOrigin: string | undefined;
  /** Resolves when the database answers. */
  isReady: () => Promise<void>;
}

/** Builds the whole site as one Express application. It listens to nothing and holds no globals. */
export function createApp(options: AppOptions): Express {
  const { services, pages, log, publicOrigin, isReady } = options;
  const app = express();
  app.disable('x-powered-by');
  app.set('trust proxy', options.trustProxy);

  const trust = app.get('trust proxy fn');
  const readSession = createSessionReader(options.session);
  const setSecurityHeaders = createSecurityHeaders({ https: options.session.secure });
  const door = {
    createContext: (req: IncomingMessage, res: ServerResponse) => ({
      ...services,
      request: factsOf(req, { trust, publicOrigin }),
      session: readSession(req, res),
    }),
    report: (error: unknown) => log.error({ error: causeOf(error) }, 'a request failed'),
  };
  const rest = createRestDoor(door);
  const native = createNativeDoor(door);
  const contactForm = createContactForm(pages, door);

  app.use((req, res, next) => {
    setSecurityHeaders(req, res);
    next();
  });
  app.get('/healthz', (_req, res) => void res.json({ ok: true }));
  app.get('/readyz', async (_req, res) => {
    await isReady();
    res.json({ ok: true });
  });
  app.use(async (req, res) => {
    const path = pathOf(req);
    if (path.startsWith(nativePath)) await native(req, res);
    else if (isContactForm(req)) await contactForm(req, res);
    else if (path === '/api' || path.startsWith('/api/')) await rest(req, res);
    else await pages.serve(req, res);
  });
  app.use((error: unknown, req: Request, res: Response, _next: NextFunction) => {
    log.error({ error: causeOf(error), path: req.path }, 'a request failed');
    const status = req.path === '/readyz' ? 503 : 500;
    sendFault(res, { ...faultOf(error), status });
  });
  return app;
}

/** What really happened: tRPC wraps what a procedure throws. */
function causeOf(error: unknown): unknown {
  return error instanceof Error && error.cause !== undefined ? error.cause : error;
}
