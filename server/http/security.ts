/** Response headers that keep the browser on our side. */
import { createHash } from 'node:crypto';
import {
  IncomingMessage,
  type OutgoingHttpHeader,
  type OutgoingHttpHeaders,
  ServerResponse,
} from 'node:http';
import { Socket } from 'node:net';
import helmet from 'helmet';

export interface SecurityOptions {
  /** The site is served over https: tell browsers never to try otherwise. */
  https: boolean;
}

/** The headers that every answer carries. Documents set their own content policy over them. */
export function securityHeaders({ https }: SecurityOptions): OutgoingHttpHeaders {
  const headers = recorded(
    helmet({
      contentSecurityPolicy: {
        useDefaults: false,
        directives: { defaultSrc: ["'none'"], frameAncestors: ["'none'"] },
      },
      strictTransportSecurity: https && { maxAge: 365 * 24 * 60 * 60 },
      referrerPolicy: { policy: 'strict-origin-when-cross-origin' },
      xFrameOptions: { action: 'deny' },
      // Of browsers and plugins that are gone; each header costs every answer.
      xDownloadOptions: false,
      xPermittedCrossDomainPolicies: false,
      xXssProtection: false,
    }),
  );
  headers['permissions-policy'] = 'camera=(), microphone=(), geolocation=(), browsing-topics=()';
  return headers;
}

/**
 * Makes an answer carry the headers that keep the browser on our side, whoever writes it. They join
 * the others when the head is written: set one by one before, they cost more than most answers do.
 * What the answer says itself holds, such as the content policy of a document.
 */
export function createSecurityHeaders(options: SecurityOptions) {
  const always = Object.entries(securityHeaders(options)) as [string, OutgoingHttpHeader][];
  const names = new Set(always.map(([name]) => name));
  /** Names and values in turn: what Node writes without looking at it twice. */
  const list = always.flat() as OutgoingHttpHeader[];

  const listWith = (own: OutgoingHttpHeaders, replaced: string[]): OutgoingHttpHeader[] => {
    const said: OutgoingHttpHeader[] = [];
    for (const name in own) {
      const value = own[name];
      if (value === undefined) continue;
      said.push(name, value);
      if (names.has(name.toLowerCase())) replaced.push(name.toLowerCase());
    }
    const ours =
      replaced.length === 0 ? list : always.filter(([name]) => !replaced.includes(name)).flat();
    return ours.concat(said) as OutgoingHttpHeader[];
  };

  function writeHead(
    this: ServerResponse,
    status: number,
    reason?: string | OutgoingHttpHeaders,
    own?: OutgoingHttpHeaders,
  ): ServerResponse {
    const said = typeof reason === 'object' ? reason : own;
    // A listener of `on-headers`, such as cookie-session's, has set them before this is called.
    const set = this.getHeaderNames().filter((name) => names.has(name));
    const headers = said || set.length > 0 ? listWith(said ?? {}, set) : list;
    return ServerResponse.prototype.writeHead.call(this, status, headers);
  }
  return (res: ServerResponse): void => {
    res.writeHead = writeHead as ServerResponse['writeHead'];
  };
}

/** What helmet sets is the same each time, so it is asked once and not for every answer. */
function recorded(middleware: ReturnType<typeof helmet>): OutgoingHttpHeaders {
  const req = new IncomingMessage(new Socket());
  const res = new ServerResponse(req);
  middleware(req, res, () => {});
  return { ...res.getHeaders() };
}

/** Addresses of other hosts that a document may load from. */
export interface Embeds {
  frames: string[];
  scripts: string[];
}

/** SHA-256 of nothing: lets emotion own an empty `<style>` that it fills through the CSSOM. */
const emptyStyle = "'sha256-47DEQpj8HBSa+/TImW+5JCeuQeRkm5NMpJWZG3hSuFU='";

/**
 * The content policy of a document of ours: nothing from anywhere, but for our own files, the styles
 * and scripts that stand in it (by their hash) and the owner's configured embeds.
 */
export function contentPolicy(html: string, { frames, scripts }: Embeds): string {
  const list = (...sources: string[]) => sources.join(' ');
  return [
    "default-src 'none'",
    `script-src ${list("'self'", ...hashesOf(html, 'script'), ...originsOf(scripts))}`,
    `style-src ${list("'self'", emptyStyle, ...hashesOf(html, 'style'))}`,
    `img-src ${list("'self'", 'data:', ...originsOf(scripts))}`,
    `font-src ${list("'self'", ...originsOf(scripts))}`,
    `connect-src ${list("'self'", ...originsOf(scripts))}`,
    `frame-src ${list(...originsOf([...frames, ...scripts])) || "'none'"}`,
    `form-action ${list("'self'", ...originsOf(scripts))}`,
    "manifest-src 'self'",
    "base-uri 'none'",
    "frame-ancestors 'none'",
  ].join('; ');
}

/** Hashes of what stands in the elements of this name that have no attributes. */
function hashesOf(html: string, element: 'script' | 'style'): string[] {
  return [...html.matchAll(new RegExp(`<${element}>(.*?)</${element}>`, 'gs'))].map(
    ([, text = '']) => `'sha256-${createHash('sha256').update(text).digest('base64')}'`,
  );
}

const originsOf = (addresses: string[]) => [
  ...new Set(addresses.filter((a) => URL.canParse(a)).map((a) => new URL(a).origin)),
];
