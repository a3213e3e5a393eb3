/**
 * Whether response headers allow the site to frame a document, by the rules of browsers (HTML
 * "X-Frame-Options", CSP 3 "frame-ancestors"). A `frame-ancestors` directive overrides
 * X-Frame-Options, and several policies must all allow the page.
 *
 * When the site's origin is not known (no PUBLIC_URL), only a source that can match any site (`*`, a
 * scheme, a host with `*`) counts as allowing it. A link that works is better than an empty frame.
 */

export interface FrameHeaders {
  /** The header's value; repeated headers are joined by commas. */
  xFrameOptions: string | null;
  contentSecurityPolicy: string | null;
}

/**
 * Whether a page of the site may show the document in a frame.
 *
 * @param address URL of the document, after redirects
 * @param origin the site's origin, such as `https://rowan.com`; undefined when it is not known
 */
export function mayBeFramed(
  { xFrameOptions, contentSecurityPolicy }: FrameHeaders,
  { address, origin }: { address: URL; origin: string | undefined },
): boolean {
  const page = origin === undefined ? undefined : new URL(origin);
  const lists = ancestorLists(contentSecurityPolicy ?? '');
  if (lists.length === 0) return optionsAllow(xFrameOptions ?? '', { address, page });
  return lists.every((sources) => sources.some((source) => matches(source, { address, page })));
}

interface Location {
  address: URL;
  page: URL | undefined;
}

/** Returns the sources of the `frame-ancestors` directive of each policy that has one. */
function ancestorLists(header: string): string[][] {
  return header.split(',').flatMap((policy) => {
    const directives = policy.split(';').map((text) => text.trim().toLowerCase().split(/\s+/));
    const found = directives.find(([name]) => name === 'frame-ancestors');
    return found ? [found.slice(1)] : [];
  });
}

function optionsAllow(header: string, { address, page }: Location): boolean {
  const options = new Set(
    header
      .toLowerCase()
      .split(',')
      .map((text) => text.trim()),
  );
  const known = ['deny', 'sameorigin', 'allowall'].filter((option) => options.has(option));
  // Browsers reject contradicting options, and ignore unknown ones.
  if (options.size > 1) return known.length === 0;
  if (known[0] === 'sameorigin') return page?.origin === address.origin;
  return known[0] !== 'deny';
}

const hostSource =
  /^(?:([a-z][a-z0-9+.-]*):\/\/)?(\*|(?:\*\.)?[^/:*]+|\[[0-9a-f:.]+\])(?::(\d+|\*))?(\/.*)?$/;

/** Whether a source of `frame-ancestors` matches the page. */
function matches(source: string, { address, page }: Location): boolean {
  if (source === '*') return true;
  const [, schemeOnly] = /^([a-z][a-z0-9+.-]*):$/.exec(source) ?? [];
  if (schemeOnly) return page ? schemeMatches(schemeOnly, page) : /^https?$/.test(schemeOnly);
  if (source === "'self'") return page !== undefined && isSelf(page, address);
  const [, scheme, host = '', port, path] = hostSource.exec(source) ?? [];
  if (!host || host.startsWith("'")) return false;
  if (!page) return host.startsWith('*');
  return (
    schemeMatches(scheme ?? address.protocol.slice(0, -1), page) &&
    hostMatches(host, page.hostname) &&
    portMatches(port, page) &&
    // The source is compared with the page's origin, which has no path.
    (path === undefined || path === '/')
  );
}

/** `http` also matches https. */
const schemeMatches = (scheme: string, { protocol }: URL) =>
  protocol === `${scheme}:` || (scheme === 'http' && protocol === 'https:');

const hostMatches = (pattern: string, host: string) =>
  pattern.startsWith('*') ? host.endsWith(pattern.slice(1)) : host === pattern;

/** `URL.port` is '' for the scheme's default port. */
const portMatches = (pattern: string | undefined, { port, protocol }: URL) =>
  pattern === '*' || (pattern ? Number(pattern) === portOf({ port, protocol }) : port === '');

const portOf = ({ port, protocol }: Pick<URL, 'port' | 'protocol'>) =>
  Number(port || (protocol === 'https:' ? 443 : 80));

/** Whether the page has the calendar's origin, or its https equivalent. */
const isSelf = (page: URL, self: URL) =>
  page.origin === self.origin || isUpgrade({ from: self, to: page });

/** Whether `to` is the same host as `from` over https, both on default ports. */
export const isUpgrade = ({ from, to }: { from: URL; to: URL }): boolean =>
  from.hostname === to.hostname &&
  from.protocol === 'http:' &&
  to.protocol === 'https:' &&
  from.port === '' &&
  to.port === '';
