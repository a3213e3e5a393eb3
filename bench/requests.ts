/** HTTP requests as bytes on the wire, prepared before a measurement. */

export const browser =
  'Mozilla/5.0 (X11; Linux x64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/143.0 Safari/537.36';

const json = 'Content-Type: application/json';

/** An HTTP/1.1 request; sets `Content-Length` if there is a body. */
export function rawRequest(method: string, path: string, headers: string[], body = ''): Buffer {
  const length = body ? [`Content-Length: ${Buffer.byteLength(body)}`] : [];
  const lines = [`${method} ${path} HTTP/1.1`, 'Host: localhost', `User-Agent: ${browser}`];
  return Buffer.from(`${[...lines, ...headers, ...length].join('\r\n')}\r\n\r\n${body}`);
}

let visitors = 0;

/**
 * A new address each time, so that neither rate limits nor deduplication affect the measurement.
 */
function newVisitor(): string {
  visitors += 1;
  return `X-Forwarded-For: 10.${(visitors >> 16) & 255}.${(visitors >> 8) & 255}.${visitors & 255}`;
}

const contactBody = JSON.stringify({
  name: 'Ada Lovelace',
  email: 'ada@example.com',
  company: 'Analytical Engines',
  message: 'We have nine tools and none of them talk. Can you map it? '.repeat(2),
});
export const contactRequest = (path = '/api/contact') =>
  rawRequest('POST', path, [json, newVisitor()], contactBody);

/** Headers that a browser adds to requests of the site's own pages. */
const sameOriginHeaders = ['Origin: http://localhost', 'Sec-Fetch-Site: same-origin'];

const pageViews = [
  { search: '?utm_source=newsletter', referrer: '' },
  { search: '', referrer: 'https://www.instagram.com/' },
  { search: '', referrer: '' },
].map((referral) => JSON.stringify({ type: 'page_view', ...referral }));

/** The page view beacon of a visit that is counted. */
export const activityRequest = (n: number, path = '/api/activity') =>
  rawRequest(
    'POST',
    path,
    [json, ...sameOriginHeaders, newVisitor()],
    pageViews[n % pageViews.length],
  );
