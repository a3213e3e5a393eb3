/** Names the browser of a request. The result contains fixed words only, so it is safe to log. */

type NamePatterns = [pattern: RegExp, name: string][];

// Ordered: the user agent of a browser may also contain the names of browsers below it.
const browsers: NamePatterns = [
  [/\bEdgA?\//, 'Edge'],
  [/\bOPR\//, 'Opera'],
  [/\bSamsungBrowser\//, 'Samsung Internet'],
  [/\b(Firefox|FxiOS)\//, 'Firefox'],
  [/\b(Chrome|CriOS)\//, 'Chrome'],
  [/\bSafari\//, 'Safari'],
];

const systems: NamePatterns = [
  [/\biPhone\b/, 'iPhone'],
  [/\biPad\b/, 'iPad'],
  [/\bAndroid\b/, 'Android'],
  [/\bWindows\b/, 'Windows'],
  [/\bMac OS X\b/, 'Mac'],
  [/\bCrOS\b/, 'ChromeOS'],
  [/\bLinux\b/, 'Linux'],
];

/** Returns the browser and the operating system of a `User-Agent` header: `Firefox on Linux`. */
export function browserName(userAgent: string): string {
  const find = (names: NamePatterns) => names.find(([pattern]) => pattern.test(userAgent))?.[1];
  const browser = find(browsers) ?? 'Some program';
  const system = find(systems);
  return system ? `${browser} on ${system}` : browser;
}
