/** Security headers and the Content-Security-Policy. */
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
  /** Whether the site is served over https: responses then carry HSTS. */
  https: boolean;
}

/** The security headers of every response. Documents replace the content policy with their own. */
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
      // Only obsolete browsers and plugins read these, and each header adds to every response.
      xDownloadOptions: false,
      xPermittedCrossDomainPolicies: false,
      xXssProtection: false,
    }),
  );
  headers['permissions-policy'] = 'camera=(), microphone=(), geolocation=(), browsing-topics=()';
  return headers;
}

/**
 * Creates a function that adds the security headers to a response. It patches `writeHead`, because setting
 * them one by one costs more than most responses; headers of the response itself take precedence.
 */
export function createSecurityHeaders(options: SecurityOptions) {
  const always = Object.entries(securityHeaders(options)) as [string, OutgoingHttpHeader][];
  const names = new Set(always.map(([name]) => name));
  /** Names and values in turn, the format that Node writes fastest. */
  const list = always.flat() as OutgoingHttpHeader[];

  const listWith = (own: OutgoingHttpHeaders, replaced: string[]): OutgoingHttpHeader[] => {
    const explicit: OutgoingHttpHeader[] = [];
    for (const name in own) {
      const value = own[name];
      if (value === undefined) continue;
      explicit.push(name, value);
      if (names.has(name.toLowerCase())) replaced.push(name.toLowerCase());
    }
    const defaults =
      replaced.length === 0 ? list : always.filter(([name]) => !replaced.includes(name)).flat();
    return defaults.concat(explicit) as OutgoingHttpHeader[];
  };

  function writeHead(
    this: ServerResponse,
    status: number,
    reason?: string | OutgoingHttpHeaders,
    own?: OutgoingHttpHeaders,
  ): ServerResponse {
    const given = typeof reason === 'object' ? reason : own;
    // A listener of `on-headers`, such as cookie-session's, has set headers before this call.
    const set = this.getHeaderNames().filter((name) => names.has(name));
    const headers = given || set.length > 0 ? listWith(given ?? {}, set) : list;
    return ServerResponse.prototype.writeHead.call(this, status, headers);
  }
  return (res: ServerResponse): void => {
    res.writeHead = writeHead as ServerResponse['writeHead'];
  };
}

/** Runs helmet once and returns its headers, which are the same for every response. */
function recorded(middleware: ReturnType<typeof helmet>): OutgoingHttpHeaders {
  const req = new IncomingMessage(new Socket());
  const res = new ServerResponse(req);
  middleware(req, res, () => {});
  return { ...res.getHeaders() };
}

/** Addresses on other hosts that a document may load from. */
export interface Embeds {
  frames: string[];
  scripts: string[];
}

/** SHA-256 of the empty string: allows emotion's empty `<style>`, which it fills through the CSSOM. */
const emptyStyle = "'sha256-47DEQpj8HBSa+/TImW+5JCeuQeRkm5NMpJWZG3hSuFU='";

/**
 * The Content-Security-Policy of a document. It allows only the site's own files, inline styles and scripts
 * by their hash, and the owner's configured embeds.
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

/** Hashes of the inline content of elements with this name and no attributes. */
function hashesOf(html: string, element: 'script' | 'style'): string[] {
  return [...html.matchAll(new RegExp(`<${element}>(.*?)</${element}>`, 'gs'))].map(
    ([, text = '']) => `'sha256-${createHash('sha256').update(text).digest('base64')}'`,
  );
}

const originsOf = (addresses: string[]) => [
  ...new Set(addresses.filter((a) => URL.canParse(a)).map((a) => new URL(a).origin)),
];
