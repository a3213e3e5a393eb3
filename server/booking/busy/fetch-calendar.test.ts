import type dns from 'node:dns';
import { createServer, type RequestListener } from 'node:http';
import { createServer as createTlsServer } from 'node:https';
import type { AddressInfo } from 'node:net';
import { gzipSync } from 'node:zlib';
import { afterEach, expect, it, vi } from 'vitest';
import { certificate, key } from '../../testing/certificate.ts';
import { lookupBy } from '../../testing/outbound.ts';
import { CalendarError } from './errors.ts';
import { type FetchOptions, fetchCalendar } from './fetch-calendar.ts';

const secret = 'private-0123456789';
const calendar = 'BEGIN:VCALENDAR\r\nEND:VCALENDAR\r\n';

const closing: (() => void)[] = [];
afterEach(() => {
  for (const close of closing.splice(0)) close();
});

/** Starts a server on this machine; returns the address of a calendar on it. */
async function serve(
  listener: RequestListener,
  { isTls = false } = {},
): Promise<{ origin: string; address: string }> {
  const server = isTls
    ? createTlsServer({ key, cert: certificate }, listener)
    : createServer(listener);
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  closing.push(() => {
    server.closeAllConnections();
    server.close();
  });
  const origin = `${isTls ? 'https://localhost' : 'http://127.0.0.1'}:${(server.address() as AddressInfo).port}`;
  return { origin, address: `${origin}/${secret}/basic.ics?token=${secret}` };
}

/** Resolves each name to these addresses. */
const resolvesTo = (...addresses: string[]) =>
  vi.fn(lookupBy(() => addresses)) as unknown as typeof dns.lookup;

async function textOf(address: string, options?: FetchOptions): Promise<string> {
  const fetched = await fetchCalendar(address, options);
  if (fetched.isUnchanged) throw new Error('unchanged');
  const chunks: Buffer[] = [];
  for await (const chunk of fetched.body) chunks.push(chunk);
  return Buffer.concat(chunks).toString();
}

/** The error of reading this address, whose texts contain no secret. */
async function errorOf(address: string, options?: FetchOptions): Promise<string> {
  const error = await textOf(address, options).then(
    () => undefined,
    (error: unknown) => error,
  );
  if (!(error instanceof CalendarError)) throw new Error('no CalendarError', { cause: error });
  expect(`${error.stack} ${JSON.stringify(error)} ${error.cause}`).not.toContain(secret);
  return error.message;
}

it('fetch returns the calendar and what identifies its version', async () => {
  const { address } = await serve((req, res) => {
    expect(req.url).toBe(`/${secret}/basic.ics?token=${secret}`);
    expect(req.headers).toMatchObject({ accept: 'text/calendar', 'accept-encoding': 'gzip' });
    res.writeHead(200, { ETag: '"1"', 'Last-Modified': 'Mon, 02 Mar 2026 09:00:00 GMT' });
    res.end(calendar);
  });
  const fetched = await fetchCalendar(address);
  expect(fetched).toMatchObject({
    isUnchanged: false,
    etag: '"1"',
    lastModified: 'Mon, 02 Mar 2026 09:00:00 GMT',
  });
  expect(await textOf(address)).toBe(calendar);
});

it('fetch reads a calendar over TLS, by https: and webcal:', async () => {
  const { address } = await serve((_req, res) => res.end(calendar), { isTls: true });
  const options = { lookup: resolvesTo('127.0.0.1'), ca: certificate };
  expect(await textOf(address, options)).toBe(calendar);
  expect(await textOf(address.replace('https:', 'webcal:'), options)).toBe(calendar);
});

it('fetch rejects a certificate that is not trusted, or of another name', async () => {
  let requests = 0;
  const { address } = await serve((_req, res) => res.end(`${requests++}`), { isTls: true });
  const lookup = resolvesTo('127.0.0.1');
  expect(await errorOf(address, { lookup })).toMatch(/failed \(DEPTH_ZERO_SELF_SIGNED_CERT\)/);
  const byAddress = address.replace('localhost', '127.0.0.1');
  expect(await errorOf(byAddress, { ca: certificate })).toMatch(
    /failed \(ERR_TLS_CERT_ALTNAME_INVALID\)/,
  );
  expect(requests).toBe(0);
});

it('fetch reports a calendar that is unchanged since the given version', async () => {
  const { address } = await serve((req, res) => {
    const { 'if-none-match': etag, 'if-modified-since': since } = req.headers;
    res.writeHead(etag === '"1"' && since === 'yesterday' ? 304 : 200).end();
  });
  expect(await fetchCalendar(address, { etag: '"1"', lastModified: 'yesterday' })).toEqual({
    isUnchanged: true,
  });
  expect(await fetchCalendar(address, { etag: '"0"' })).toMatchObject({ isUnchanged: false });
});

it('fetch reads a compressed calendar', async () => {
  const { address } = await serve((_req, res) => {
    res.writeHead(200, { 'Content-Encoding': 'gzip' }).end(gzipSync(calendar));
  });
  expect(await textOf(address)).toBe(calendar);
});

it('fetch sends the name and password of the address, also after a redirect to the same server', async () => {
  const { address } = await serve((req, res) => {
    const expected = `Basic ${Buffer.from('ada:pass word').toString('base64')}`;
    if (req.headers.authorization !== expected) res.writeHead(401).end();
    else if (req.url === '/export') res.end(calendar);
    else res.writeHead(302, { Location: '/export' }).end();
  });
  expect(await textOf(address.replace('//', '//ada:pass%20word@'))).toBe(calendar);
  expect(await errorOf(address)).toMatch(/status 401/);
});

it('fetch follows five redirects, and no more', async () => {
  const { origin } = await serve((req, res) => {
    const left = Number(req.url?.slice(1));
    if (left) res.writeHead(307, { Location: `/${left - 1}` }).end();
    else res.end(calendar);
  });
  expect(await textOf(`${origin}/5`)).toBe(calendar);
  expect(await errorOf(`${origin}/6`)).toMatch(/more than 5 times/);
});

it.each([
  ['', /not a web address/],
  [secret, /not a web address/],
  [`http://${secret}@[`, /not a web address/],
  [`http://calendar.example/${secret}`, /calendar\.example .*https:/],
  [`http://192.168.1.1/${secret}`, /192\.168\.1\.1 .*https:/],
  [`file:///${secret}`, /https:/],
  [`https://10.0.0.1/${secret}`, /local network/],
  [`https://2130706434.example/${secret}`, /local network/],
  [`https://0xa9fea9fe/${secret}`, /169\.254\.169\.254 .*local network/],
  [`https://[::ffff:169.254.169.254]/${secret}`, /local network/],
  [`https://[fd00::1]/${secret}`, /local network/],
  [`webcal://[64:ff9b::1]/${secret}`, /local network/],
])('fetch rejects the address %s', async (address, message) => {
  expect(await errorOf(address, { lookup: resolvesTo('10.0.0.1') })).toMatch(message);
});

it.each(['127.0.0.1', '::1', '169.254.169.254', '192.168.0.1', '::ffff:127.0.0.1'])(
  'fetch does not connect to a public name that resolves to %s',
  async (resolved) => {
    let connections = 0;
    const { origin } = await serve((_req, res) => {
      connections++;
      res.end(calendar);
    });
    const lookup = resolvesTo(resolved);
    const address = `https://calendar.example:${new URL(origin).port}/${secret}`;
    expect(await errorOf(address, { lookup })).toMatch(/calendar\.example is in a local network/);
    expect(lookup).toHaveBeenCalled();
    expect(connections).toBe(0);
  },
);

it.each([
  ['https://169.254.169.254/latest', /169\.254\.169\.254 is in a local network/],
  ['http://169.254.169.254/latest', /https:/],
  ['http://127.0.0.1:1/', /https:/],
  ['https://127.0.0.1:1/', /local network/],
  ['https://localhost:1/', /local network/],
  ['http://localhost:1/', /https:/],
  ['https://rebound.example/', /rebound\.example is in a local network/],
  ['//rebound.example/', /https:/],
  ['file:///etc/passwd', /https:/],
  ['https://[', /malformed/],
])('fetch does not follow a redirect to %s', async (location, message) => {
  const { address } = await serve((_req, res) => {
    res.writeHead(302, { Location: location }).end();
  });
  expect(await errorOf(address, { lookup: resolvesTo('127.0.0.1') })).toMatch(message);
});

it('fetch does not follow a redirect to another server of this machine', async () => {
  let connections = 0;
  const other = await serve((_req, res) => {
    connections++;
    res.end(calendar);
  });
  const { address } = await serve((_req, res) => {
    res.writeHead(302, { Location: other.address }).end();
  });
  expect(await errorOf(address)).toMatch(/https:/);
  expect(connections).toBe(0);
});

it('fetch rejects a local name that resolves to another machine', async () => {
  const address = `http://localhost:1/${secret}`;
  expect(await errorOf(address, { lookup: resolvesTo('8.8.8.8') })).toMatch(/local network/);
});

it.each([
  [404, /127\.0\.0\.1 responds with status 404.*still published/],
  [410, /status 410.*still published/],
  [500, /status 500.*longer than a day/],
  [429, /status 429.*longer than a day/],
  [302, /status 302/],
])('fetch says what to do about status %i', async (status, message) => {
  const { address } = await serve((_req, res) => {
    res.writeHead(status).end('no calendar');
  });
  expect(await errorOf(address)).toMatch(message);
});

it.each([
  ['sends nothing', () => {}],
  ['sends headers only', (_req, res) => void res.writeHead(200).flushHeaders()],
  [
    'sends a byte now and then',
    (_req, res) => {
      const timer = setInterval(() => res.write('B'), 10);
      closing.push(() => clearInterval(timer));
    },
  ],
  [
    'redirects slowly',
    (_req, res) => void setTimeout(() => res.writeHead(302, { Location: '/' }).end(), 60),
  ],
] satisfies [string, RequestListener][])(
  'fetch gives up on a server that %s',
  async (_, listener) => {
    const { address } = await serve(listener);
    expect(await errorOf(address, { timeoutMs: 150 })).toMatch(/took too long/);
  },
);

it('fetch rejects a body that is larger than 32 MB, by its header and while it is received', async () => {
  const byHeader = await serve((_req, res) => {
    res.writeHead(200, { 'Content-Length': 33 * 2 ** 20 }).flushHeaders();
  });
  expect(await errorOf(byHeader.address)).toMatch(/larger than 32 MB/);
  const endless = await serve((_req, res) => {
    const chunk = Buffer.alloc(2 ** 20);
    const write = () => {
      while (!res.destroyed && res.write(chunk));
    };
    res.on('drain', write);
    write();
  });
  expect(await errorOf(endless.address)).toMatch(/larger than 32 MB/);
});

it('fetch rejects a small body that is larger than 32 MB when it is decompressed', async () => {
  const bomb = gzipSync(Buffer.alloc(40 * 2 ** 20));
  expect(bomb.length).toBeLessThan(100_000);
  const { address } = await serve((_req, res) => {
    res.writeHead(200, { 'Content-Encoding': 'gzip' }).end(bomb);
  });
  expect(await errorOf(address)).toMatch(/larger than 32 MB/);
});

it.each([
  ['br', calendar, /encoding/],
  ['gzip', calendar, /failed \(Z_DATA_ERROR\)/],
  ['gzip', gzipSync(calendar).subarray(0, 20), /failed \(Z_BUF_ERROR\)/],
])(
  'fetch rejects a body in the encoding %s that it cannot read',
  async (encoding, body, message) => {
    const { address } = await serve((_req, res) => {
      res.writeHead(200, { 'Content-Encoding': encoding }).end(body);
    });
    expect(await errorOf(address)).toMatch(message);
  },
);

it('fetch rejects a body that breaks off', async () => {
  const { address } = await serve((_req, res) => {
    res.writeHead(200, { 'Content-Length': 1000 });
    res.write(calendar, () => res.destroy());
  });
  expect(await errorOf(address)).toMatch(/connection to 127\.0\.0\.1 failed \(ECONNRESET\)/);
});

it('fetch closes the connection of a body that is not read to its end', async () => {
  let isClosed = false;
  const { address } = await serve((_req, res) => {
    res.on('close', () => {
      isClosed = true;
    });
    res.write(calendar);
  });
  const fetched = await fetchCalendar(address);
  if (fetched.isUnchanged) throw new Error('unchanged');
  for await (const _ of fetched.body) break;
  await vi.waitFor(() => expect(isClosed).toBe(true), 20_000);
});

it('fetch says so when a name does not exist, or nothing listens', async () => {
  const lookup = ((_name: string, _options: unknown, callback: (error: Error) => void) => {
    callback(Object.assign(new Error(secret), { code: 'ENOTFOUND' }));
  }) as unknown as typeof dns.lookup;
  expect(await errorOf(`https://calendar.example/${secret}`, { lookup })).toMatch(
    /calendar\.example does not exist/,
  );
  const { address } = await serve(() => {});
  for (const close of closing.splice(0)) close();
  await vi.waitFor(async () => {
    expect(await errorOf(address)).toMatch(/failed \(ECONNREFUSED\)/);
  }, 20_000);
});
