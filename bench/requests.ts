/** Requests as bytes on the wire, made beforehand. */

export const browser =
  'Mozilla/5.0 (X11; Linux x64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/143.0 Safari/537.36';

const json = 'Content-Type: application/json';

export function message(method: string, path: string, headers: string[], body = ''): Buffer {
  const length = body ? [`Content-Length: ${Buffer.byteLength(body)}`] : [];
  const lines = [`${method} ${path} HTTP/1.1`, 'Host: localhost', `User-Agent: ${browser}`];
  return Buffer.from(`${[...lines, ...headers, ...length].join('\r\n')}\r\n\r\n${body}`);
}

let visitors = 0;

/** Nobody who came before: what is measured is the work, not the refusal of a flood or of a repeat. */
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
export const contact = () => message('POST', '/api/contact', [json, newVisitor()], contactBody);

/** What a browser says of a request that the site's own page sends. */
const fromOwnPage = ['Origin: http://localhost', 'Sec-Fetch-Site: same-origin'];

const arrivals = [
  { search: '?utm_source=newsletter', referrer: '' },
  { search: '', referrer: 'https://www.instagram.com/' },
  { search: '', referrer: '' },
].map((arrival) => JSON.stringify({ type: 'page_view', ...arrival }));

/** A visit that counts, as the page tells of it. */
export const activity = (n: number) =>
  message(
    'POST',
    '/api/activity',
    [json, ...fromOwnPage, newVisitor()],
    arrivals[n % arrivals.length],
  );
