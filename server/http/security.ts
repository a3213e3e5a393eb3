/** Security headers and the Content-Security-Policy. */
import { IncomingMessage, type OutgoingHttpHeaders, ServerResponse } from 'node:http';
import { Socket } from 'node:net';
import helmet from 'helmet';

/** A function for `app.use`, which also works without Express. */
type Middleware = (req: IncomingMessage, res: ServerResponse, next: () => void) => void;

export interface SecurityOptions {
  /** Whether the site is served over https: responses then carry HSTS. */
  https: boolean;
}

/** Creates the middleware that sets the security headers. Documents replace the content policy. */
export function createSecurityHeaders({ https }: SecurityOptions): Middleware {
  const setHelmetHeaders = helmet({
    contentSecurityPolicy: {
      useDefaults: false,
      directives: { defaultSrc: ["'none'"], frameAncestors: ["'none'"] },
    },
    // Other hosts of the owner's domain may have no https.
    strictTransportSecurity: https && { maxAge: 365 * 24 * 60 * 60, includeSubDomains: false },
    referrerPolicy: { policy: 'strict-origin-when-cross-origin' },
    xFrameOptions: { action: 'deny' },
    // Only obsolete browsers and plugins read these, and each header adds to every response.
    xDownloadOptions: false,
    xPermittedCrossDomainPolicies: false,
    xXssProtection: false,
  });
  return (req, res, next) => {
    res.setHeader(
      'Permissions-Policy',
      'camera=(), microphone=(), geolocation=(), browsing-topics=()',
    );
    setHelmetHeaders(req, res, next);
  };
}

/** The security headers as an object, for responses without a `ServerResponse`. */
export function securityHeaders(options: SecurityOptions): OutgoingHttpHeaders {
  const req = new IncomingMessage(new Socket());
  const res = new ServerResponse(req);
  createSecurityHeaders(options)(req, res, () => {});
  return res.getHeaders();
}

/** What the owner embeds: addresses on other hosts, and paths of this site. */
export interface Embeds {
  frames: string[];
  scripts: string[];
}

/** SHA-256 of the empty string: allows emotion's empty `<style>`, which it fills through the CSSOM. */
const emptyStyle = "'sha256-47DEQpj8HBSa+/TImW+5JCeuQeRkm5NMpJWZG3hSuFU='";

/** The sources of a document's inline elements, as the policy lists them. */
interface Inline {
  styles: string[];
  scripts: string[];
}

/**
 * Reads which inline elements a rendered document names at its start (`src/prerender/document.tsx`); `html` is
 * the document without that.
 */
export function readInline(text: string): { html: string; inline: Inline } {
  const [start, doctype = '', hashes = ''] =
    /^(<!doctype html>)<!--inline ((?:sha256-[\w+/=]+ ?)+)-->/.exec(text) ?? [];
  if (!start) return { html: text, inline: { styles: [], scripts: [] } };
  const [style = '', ...scripts] = hashes.split(' ').map((hash) => `'${hash}'`);
  return { html: doctype + text.slice(start.length), inline: { styles: [style], scripts } };
}

interface PolicyOptions {
  /** Whether pages of this site frame it. */
  isFramed?: boolean;
  /** Whether its script frames pages of this site. */
  framesPages?: boolean;
}

/**
 * The Content-Security-Policy of a document. It allows only the site's own files, the inline elements that
 * its renderer named, and those of the owner's embeds that this document has.
 */
export function contentPolicy(
  { html, inline }: ReturnType<typeof readInline>,
  embeds: Embeds,
  { isFramed = false, framesPages = false }: PolicyOptions = {},
): string {
  const frames = html.includes('<iframe') ? embeds.frames : framesPages ? ['/'] : [];
  const scripts = html.includes('<template id="opt-in"') ? embeds.scripts : [];
  const list = (...sources: string[]) => sources.join(' ');
  // Forms of providers have inline styles. Their script could set the same ones through the CSSOM, and a hash
  // would make browsers ignore 'unsafe-inline'.
  const inlineStyles =
    scripts.length > 0 ? ["'unsafe-inline'"] : [...new Set([emptyStyle, ...inline.styles])];
  return [
    "default-src 'none'",
    `script-src ${list("'self'", ...inline.scripts, ...originsOf(scripts))}`,
    `style-src ${list("'self'", ...inlineStyles, ...originsOf(scripts))}`,
    `img-src ${list("'self'", 'data:', ...originsOf(scripts))}`,
    `font-src ${list("'self'", ...originsOf(scripts))}`,
    `connect-src ${list("'self'", ...originsOf(scripts))}`,
    `frame-src ${list(...ownIn(frames), ...originsOf([...frames, ...scripts])) || "'none'"}`,
    `form-action ${list("'self'", ...originsOf(scripts))}`,
    "manifest-src 'self'",
    "base-uri 'none'",
    `frame-ancestors ${isFramed ? "'self'" : "'none'"}`,
  ].join('; ');
}

const ownIn = (addresses: string[]) => (addresses.some((a) => a.startsWith('/')) ? ["'self'"] : []);

const originsOf = (addresses: string[]) => [
  ...new Set(addresses.filter((a) => URL.canParse(a)).map((a) => new URL(a).origin)),
];
