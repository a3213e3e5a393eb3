/**
 * Whether the headers of a document let a page of ours show it in a frame, judged as browsers do
 * (HTML "X-Frame-Options", CSP 3 "frame-ancestors").
 *
 * A `frame-ancestors` of any policy makes browsers overlook X-Frame-Options; several policies must
 * all allow the page. The site's own origin is known when PUBLIC_URL is set. When it is not, only a
 * source that could fit a site anywhere (`*`, a scheme, a host with `*`) counts as allowing it: one
 * that names a single host, 'self' and SAMEORIGIN mean the calendar's provider and its own pages. In
 * that doubt a visitor rather gets a link that works than a frame that stays empty.
 */

export interface FrameHeaders {
  /** As sent; several headers of the name are joined by commas. */
  xFrameOptions: string | null;
  contentSecurityPolicy: string | null;
}

/**
 * @param address where the document came from, after redirects
 * @param origin the page's own origin, such as `https://rowan.com`; undefined when it is not known
 */
export function mayBeFramed(
  { xFrameOptions, contentSecurityPolicy }: FrameHeaders,
  { address, origin }: { address: URL; origin: string | undefined },
): boolean {
  const page = origin === undefined ? undefined : new URL(origin);
  const lists = ancestorLists(contentSecurityPolicy ?? '');
  if (lists.length === 0) return optionsAllow(xFrameOptions ?? '', { address, page });
  return lists.every((sources) => sources.some((source) => fits(source, { address, page })));
}

interface Place {
  address: URL;
  page: URL | undefined;
}

/** The sources of each policy that says who may frame the document. */
function ancestorLists(header: string): string[][] {
  return header.split(',').flatMap((policy) => {
    const directives = policy.split(';').map((text) => text.trim().toLowerCase().split(/\s+/));
    const found = directives.find(([name]) => name === 'frame-ancestors');
    return found ? [found.slice(1)] : [];
  });
}

function optionsAllow(header: string, { address, page }: Place): boolean {
  const options = new Set(
    header
      .toLowerCase()
      .split(',')
      .map((text) => text.trim()),
  );
  const known = ['deny', 'sameorigin', 'allowall'].filter((option) => options.has(option));
  // Contradictions are refused; what is no option at all says nothing.
  if (options.size > 1) return known.length === 0;
  if (known[0] === 'sameorigin') return page?.origin === address.origin;
  return known[0] !== 'deny';
}

const hostSource =
  /^(?:([a-z][a-z0-9+.-]*):\/\/)?(\*|(?:\*\.)?[^/:*]+|\[[0-9a-f:.]+\])(?::(\d+|\*))?(\/.*)?$/;

/** Whether a source of `frame-ancestors` fits the page. */
function fits(source: string, { address, page }: Place): boolean {
  if (source === '*') return true;
  const [, schemeAlone] = /^([a-z][a-z0-9+.-]*):$/.exec(source) ?? [];
  if (schemeAlone) return page ? schemeFits(schemeAlone, page) : /^https?$/.test(schemeAlone);
  if (source === "'self'") return page !== undefined && isSelf(page, address);
  const [, scheme, host = '', port, path] = hostSource.exec(source) ?? [];
  if (!host || host.startsWith("'")) return false;
  if (!page) return host.startsWith('*');
  return (
    schemeFits(scheme ?? address.protocol.slice(0, -1), page) &&
    hostFits(host, page.hostname) &&
    portFits(port, page) &&
    // Of the page only its origin is compared, and that has no path.
    (path === undefined || path === '/')
  );
}

/** A scheme stands for its secure form too. */
const schemeFits = (scheme: string, { protocol }: URL) =>
  protocol === `${scheme}:` || (scheme === 'http' && protocol === 'https:');

const hostFits = (pattern: string, host: string) =>
  pattern.startsWith('*') ? host.endsWith(pattern.slice(1)) : host === pattern;

/** `URL` leaves the port out where it is the scheme's own. */
const portFits = (pattern: string | undefined, { port, protocol }: URL) =>
  pattern === '*' || (pattern ? Number(pattern) === portOf({ port, protocol }) : port === '');

const portOf = ({ port, protocol }: Pick<URL, 'port' | 'protocol'>) =>
  Number(port || (protocol === 'https:' ? 443 : 80));

/** The calendar's own origin, or its secure form. */
const isSelf = (page: URL, self: URL) =>
  page.origin === self.origin || isUpgrade({ from: self, to: page });

/** Whether `to` is the same place as `from`, but over https and on the scheme's own port. */
export const isUpgrade = ({ from, to }: { from: URL; to: URL }): boolean =>
  from.hostname === to.hostname &&
  from.protocol === 'http:' &&
  to.protocol === 'https:' &&
  from.port === '' &&
  to.port === '';
