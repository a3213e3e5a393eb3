/** Builds the tRPC context of a request, for the REST and the tRPC adapter. */
import type { Request, Response } from 'express';
import type { Context, Services } from '../app/context.ts';
import { browserName } from '../auth/browser-name.ts';
import type { ProxyMonitor } from '../health/proxy-monitor.ts';
import type { Log } from '../log.ts';
import { noticeEmail } from './notice-email.ts';
import { proxySampleOf, requestInfoOf } from './request/request-info.ts';
import type { createSessionReader } from './session.ts';

interface ContextOptions {
  services: Services;
  readSession: ReturnType<typeof createSessionReader>;
  /** Whether at least one proxy is trusted. */
  trustsProxies: boolean;
  /** The site's own origin, when the owner has set one. */
  publicOrigin: string | undefined;
  /** Whether PUBLIC_URL is an https address. */
  https: boolean;
  proxyMonitor: Pick<ProxyMonitor, 'record'>;
  log: Log;
}

/** Creates the function that builds a context: a plain object with the services as its own keys. */
export function createContextFactory(options: ContextOptions) {
  const { services, readSession, publicOrigin, log } = options;
  const warnAboutProxy = once(() =>
    log.warn(
      'request came through a proxy, but TRUST_PROXY is off: all visitors share one address. ' +
        'For example: TRUST_PROXY=1',
    ),
  );
  const warnAboutHttps = once(() =>
    log.warn(
      'request came through an https proxy, but PUBLIC_URL is no https address: cookies lack Secure and ' +
        '__Host-, and responses lack HSTS. For example: PUBLIC_URL=https://www.your-domain.com',
    ),
  );

  return function createContext(req: Request, res: Response): Context {
    if (!options.trustsProxies && req.headers['x-forwarded-for']) warnAboutProxy();
    if (!options.https && req.protocol === 'https') warnAboutHttps();
    const request = requestInfoOf(req, publicOrigin);
    // What browsers of visitors send: programs change their name at will.
    if (req.method === 'POST' && request.isFromBrowser && !request.isForeign) {
      options.proxyMonitor.record(proxySampleOf(req, request.addressBlock));
    }
    return {
      request,
      session: readSession(req, res),
      act: (kind, detail) => {
        const act = {
          ...{ at: services.now(), act: kind, detail: detail ?? null },
          browser: browserName(request.userAgent),
        };
        const recipients = services.mailServer?.recipients;
        return { ...act, notice: recipients && noticeEmail(act, { recipients, publicOrigin }) };
      },
      ...services,
    };
  };
}

function once(task: () => void): () => void {
  let isDone = false;
  return () => {
    if (!isDone) task();
    isDone = true;
  };
}
