/** Which browser it is, in a few words of ours: nothing that was sent is repeated. */

type Words = [pattern: RegExp, word: string][];

// Each also says the names of those below it.
const browsers: Words = [
  [/\bEdgA?\//, 'Edge'],
  [/\bOPR\//, 'Opera'],
  [/\bSamsungBrowser\//, 'Samsung Internet'],
  [/\b(Firefox|FxiOS)\//, 'Firefox'],
  [/\b(Chrome|CriOS)\//, 'Chrome'],
  [/\bSafari\//, 'Safari'],
];

const systems: Words = [
  [/\biPhone\b/, 'iPhone'],
  [/\biPad\b/, 'iPad'],
  [/\bAndroid\b/, 'Android'],
  [/\bWindows\b/, 'Windows'],
  [/\bMac OS X\b/, 'Mac'],
  [/\bCrOS\b/, 'ChromeOS'],
  [/\bLinux\b/, 'Linux'],
];

/** `Firefox on Linux`, as far as the `User-Agent` header tells. */
export function browserName(userAgent: string): string {
  const find = (words: Words) => words.find(([pattern]) => pattern.test(userAgent))?.[1];
  const browser = find(browsers) ?? 'Some program';
  const system = find(systems);
  return system ? `${browser} on ${system}` : browser;
}
