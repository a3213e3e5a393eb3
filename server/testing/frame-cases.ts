/**
 * For tests: frame headers of a calendar, and whether browsers show it on a page. The unit test checks
 * `mayBeFramed` against these cases, the browser test checks a real browser.
 */

/** URLs of the calendar and the page: the same scheme, different hosts and ports. */
export interface FrameUrls {
  /** `http://rowan.localhost:1234` */
  page: URL;
  calendar: URL;
}

export interface FrameCase {
  title: string;
  xFrameOptions?: string[];
  /** Values of the Content-Security-Policy headers. */
  policies?: (urls: FrameUrls) => string[];
  /** The page has the calendar's origin. */
  isOwn?: boolean;
  isShown: boolean;
}

const ancestors =
  (...lists: ((urls: FrameUrls) => string)[]) =>
  (urls: FrameUrls) =>
    lists.map((list) => `frame-ancestors ${list(urls)}`);

/** Cases that cover X-Frame-Options and `frame-ancestors`. */
export const frameCases: FrameCase[] = [
  { title: 'no header', isShown: true },
  { title: 'DENY', xFrameOptions: ['DENY'], isShown: false },
  { title: 'DENY in lowercase with spaces', xFrameOptions: ['  deny '], isShown: false },
  { title: 'SAMEORIGIN on another origin', xFrameOptions: ['SAMEORIGIN'], isShown: false },
  {
    title: 'SAMEORIGIN on its own origin',
    xFrameOptions: ['SAMEORIGIN'],
    isOwn: true,
    isShown: true,
  },
  { title: 'DENY on its own origin', xFrameOptions: ['DENY'], isOwn: true, isShown: false },
  { title: 'ALLOWALL', xFrameOptions: ['ALLOWALL'], isShown: true },
  {
    title: 'ALLOW-FROM, which browsers ignore',
    xFrameOptions: ['ALLOW-FROM https://a.test/'],
    isShown: true,
  },
  { title: 'an unknown option', xFrameOptions: ['nonsense'], isShown: true },
  { title: 'two unknown options', xFrameOptions: ['nonsense, more'], isShown: true },
  { title: 'an empty option', xFrameOptions: [''], isShown: true },
  { title: 'the same option twice', xFrameOptions: ['SAMEORIGIN', 'SAMEORIGIN'], isShown: false },
  {
    title: 'the same option twice on its own origin',
    xFrameOptions: ['SAMEORIGIN', 'SAMEORIGIN'],
    isOwn: true,
    isShown: true,
  },
  {
    title: 'contradicting options on its own origin',
    xFrameOptions: ['SAMEORIGIN, ALLOWALL'],
    isOwn: true,
    isShown: false,
  },
  { title: 'DENY beside an unknown option', xFrameOptions: ['nonsense, DENY'], isShown: false },
  { title: 'a policy about other things', policies: () => ["img-src 'self'"], isShown: true },
  {
    title: 'a policy about other things does not undo DENY',
    xFrameOptions: ['DENY'],
    policies: () => ["img-src 'self'"],
    isShown: false,
  },
  { title: "'none'", policies: ancestors(() => "'none'"), isShown: false },
  { title: 'an empty list', policies: ancestors(() => ''), isShown: false },
  { title: "'NONE' in uppercase", policies: () => ["FRAME-ANCESTORS 'NONE'"], isShown: false },
  {
    title: "'none' beside the page",
    policies: ancestors(({ page }) => `'none' ${page.origin}`),
    isShown: true,
  },
  { title: "'self' on another origin", policies: ancestors(() => "'self'"), isShown: false },
  {
    title: "'self' on its own origin",
    policies: ancestors(() => "'self'"),
    isOwn: true,
    isShown: true,
  },
  { title: 'every host', policies: ancestors(() => '*'), isShown: true },
  {
    title: 'every host despite X-Frame-Options DENY',
    xFrameOptions: ['DENY'],
    policies: ancestors(() => '*'),
    isShown: true,
  },
  {
    title: "'none' despite X-Frame-Options ALLOWALL",
    xFrameOptions: ['ALLOWALL'],
    policies: ancestors(() => "'none'"),
    isShown: false,
  },
  { title: 'the scheme', policies: ancestors(() => 'http:'), isShown: true },
  { title: 'another scheme', policies: ancestors(() => 'https:'), isShown: false },
  { title: 'the page’s origin', policies: ancestors(({ page }) => page.origin), isShown: true },
  {
    title: 'the page’s origin in uppercase',
    policies: ancestors(({ page }) => page.origin.toUpperCase()),
    isShown: true,
  },
  {
    title: 'the page’s origin and a slash',
    policies: ancestors(({ page }) => `${page.origin}/`),
    isShown: true,
  },
  {
    title: 'a path on the page’s origin, which does not match',
    policies: ancestors(({ page }) => `${page.origin}/contact`),
    isShown: false,
  },
  {
    title: 'the page’s host and port without a scheme',
    policies: ancestors(({ page }) => page.host),
    isShown: true,
  },
  {
    title: 'the page’s host without its port',
    policies: ancestors(({ page }) => page.hostname),
    isShown: false,
  },
  {
    title: 'the page’s host with every port',
    policies: ancestors(({ page }) => `${page.hostname}:*`),
    isShown: true,
  },
  {
    title: 'the page’s host with another port',
    policies: ancestors(({ page }) => `${page.hostname}:1`),
    isShown: false,
  },
  {
    title: 'the page’s host with another scheme',
    policies: ancestors(({ page }) => `https://${page.host}`),
    isShown: false,
  },
  {
    title: 'every host below the page’s parent',
    policies: ancestors(({ page }) => `*.localhost:${page.port}`),
    isShown: true,
  },
  {
    title: 'every host below the page itself',
    policies: ancestors(({ page }) => `*.${page.host}`),
    isShown: false,
  },
  {
    title: 'every host on the page’s port',
    policies: ancestors(({ page }) => `*:${page.port}`),
    isShown: true,
  },
  {
    title: 'every host on another port',
    policies: ancestors(() => '*:1'),
    isShown: false,
  },
  {
    title: 'a host with the same ending',
    policies: ancestors(({ page }) => `http://n.localhost:${page.port}`),
    isShown: false,
  },
  {
    title: 'the page after others',
    policies: ancestors(({ page }) => `https://a.test 'self' ${page.origin}`),
    isShown: true,
  },
  {
    title: 'the list behind other directives',
    policies: () => ["img-src 'self'; font-src *; frame-ancestors 'none';"],
    isShown: false,
  },
  {
    title: 'a second list in one policy, which is ignored',
    policies: () => ["frame-ancestors *; frame-ancestors 'none'"],
    isShown: true,
  },
  {
    title: 'two policies that both allow it',
    policies: ancestors(
      () => '*',
      ({ page }) => page.origin,
    ),
    isShown: true,
  },
  {
    title: 'two policies of which one forbids it',
    policies: ancestors(
      () => '*',
      () => "'self'",
    ),
    isShown: false,
  },
  {
    title: 'two policies in one header of which one forbids it',
    policies: () => ["frame-ancestors *, frame-ancestors 'none'"],
    isShown: false,
  },
  {
    title: 'two policies of which one is about other things',
    policies: () => ["frame-ancestors *, img-src 'none'"],
    isShown: true,
  },
];
