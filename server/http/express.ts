import express, { type Express } from 'express';
import { bareAddress, type Trust } from './request/request-info.ts';

/**
 * Creates an Express app without routes. Paths match exactly; `trustProxy` is Express's `trust proxy`, and
 * `https` says whether visitors use https.
 */
export function createExpress({
  trustProxy,
  https,
}: {
  trustProxy: boolean | number | string;
  https: boolean;
}): Express {
  const app = express();
  app.disable('x-powered-by');
  app.enable('case sensitive routing');
  app.enable('strict routing');
  app.set('trust proxy', trustProxy);
  const trusts: Trust = app.get('trust proxy fn');
  app.set('trust proxy', (address: string, hop: number) => trusts(bareAddress(address), hop));
  // The proxy that terminates TLS may send no X-Forwarded-Proto, and cookie-session sets secure cookies on https only.
  if (https) Object.defineProperty(app.request, 'protocol', { value: 'https' });
  return app;
}
