/** Clients that send only a part of a body. */
import { once } from 'node:events';
import { connect, type Socket } from 'node:net';
import { pino } from 'pino';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { openTestSite, signIn, type TestSite } from '../../testing/site.ts';
import { sentenceOf } from '../../trpc/errors.ts';
import { bodyLimit } from './body.ts';

let site: TestSite;
let warnings: string[];
let sockets: Socket[];

beforeEach(async () => {
  warnings = [];
  sockets = [];
  const log = pino(
    { level: 'warn' },
    { write: (line) => void warnings.push(JSON.parse(line).msg) },
  );
  site = await openTestSite({ log });
});
afterEach(async () => {
  for (const socket of sockets) socket.destroy();
  await site.close();
});

const addressOf = (n: number) => `203.0.113.${n}`;

/** Sends a message as a visitor at the address; resolves with the status. */
async function post(address: string): Promise<number> {
  const message = { name: 'Ada', email: 'ada@example.com', message: 'x'.repeat(5000) };
  return (await site.post('/api/contact', message, { 'x-forwarded-for': address })).status;
}

/** Sends all of a body but its last byte. */
async function stall(address: string, body: string | Buffer = Buffer.alloc(bodyLimit - 1, ' ')) {
  const isChunked = typeof body === 'string';
  const head = [
    'POST /api/contact HTTP/1.1',
    'Host: localhost',
    'Content-Type: application/json',
    `X-Forwarded-For: ${address}`,
    isChunked ? 'Transfer-Encoding: chunked' : `Content-Length: ${bodyLimit}`,
  ];
  const socket = connect(Number(new URL(site.origin).port), '127.0.0.1').on('error', () => {});
  sockets.push(socket);
  socket.write(`${head.join('\r\n')}\r\n\r\n`);
  await new Promise((sent) => socket.write(body, sent));
  return socket;
}

/** Ends a body that was stalled, and waits for the response. */
async function responseTo(socket: Socket): Promise<string> {
  const arrived = once(socket, 'data');
  socket.write(' ');
  return String(await arrived);
}

const refused = expect.stringMatching(
  /^HTTP\/1\.1 429 [\s\S]*Retry-After: 10\r\n[\s\S]*Too many requests/,
);
const read = expect.stringContaining(sentenceOf('MALFORMED_JSON'));

it('visitor gets a response while another address holds 300 unfinished bodies', async () => {
  for (let n = 0; n < 300; n++) await stall(addressOf(1));
  await expect.poll(() => post(addressOf(2)), { timeout: 20_000 }).toBe(200);
  for (let n = 0; n < 5; n++) expect(await post(addressOf(2))).toBe(200);
});

it('network with too many unfinished bodies gets 429 for the newest, and others keep theirs', async () => {
  const other = await stall(addressOf(2));
  const ofNetwork: Socket[] = [];
  const responses: Promise<string>[] = [];
  for (let n = 0; n < 20; n++) {
    const socket = await stall(`2001:db8:0:${n}::1`);
    ofNetwork.push(socket);
    responses.push(once(socket, 'data').then(String));
  }
  expect(await Promise.race(responses)).toEqual(refused);
  for (const socket of ofNetwork) socket.write(' ');
  const all = await Promise.all(responses);
  expect(all).toContainEqual(read);
  const isEither = /^HTTP\/1\.1 (429|400) /;
  for (const response of all) expect(response).toMatch(isEither);
  expect(await responseTo(other)).toEqual(read);
  expect(warnings).toHaveLength(1);
});

it('body in one-byte chunks counts with its memory overhead', async () => {
  const socket = await stall(addressOf(1), '1\r\nx\r\n'.repeat(20_000));
  expect(String(await once(socket, 'data'))).toEqual(refused);
});

it('aborted bodies release their memory', async () => {
  for (let n = 0; n < 15; n++) await stall(`2001:db8:0:${n}::1`);
  for (const socket of sockets) socket.destroy();
  await Promise.all(sockets.map((socket) => socket.closed || once(socket, 'close')));
  const later: Socket[] = [];
  for (let n = 0; n < 15; n++) later.push(await stall(`2001:db8:0:${n}::1`));
  for (const socket of later) expect(await responseTo(socket)).toEqual(read);
  expect(warnings).toEqual([]);
});

it.each(['/api/contact', '/api/trpc/contact.submit'])(
  '%s returns 400 for JSON that nests more than 32 levels, whatever is in its texts',
  async (path) => {
    const post = async (depth: number) => {
      const brackets = '['.repeat(50);
      const hq7x = `${'['.repeat(depth - 1)}"\\"${brackets}\\\\"${']'.repeat(depth - 1)}`;
      const body = `{"name":"Ada","email":"a@b.co","message":"${brackets}","hq7x":${hq7x}}`;
      JSON.parse(body);
      const response = await site.post(path, body);
      return [response.status, (await response.text()).includes(sentenceOf('MALFORMED_JSON'))];
    };
    expect(await post(32)).toEqual([200, false]);
    expect(await post(33)).toEqual([400, true]);
  },
);

it('contact.submit over its rate limit returns 429 without reading the body', async () => {
  for (let n = 0; n < 20; n++) await post(addressOf(1));
  const socket = await stall(addressOf(1));
  expect(String(await once(socket, 'data'))).toMatch(/^HTTP\/1\.1 429 /);
});

it.each(['/api/contact', '/api/trpc/contact.submit'])(
  '%s reads JSON as UTF-8, whatever charset it names',
  async (path) => {
    const cookie = await signIn(site);
    for (const charset of ['utf8', 'iso-8859-1', 'utf-7']) {
      const response = await site.post(
        path,
        { name: 'Zoë', email: 'zoe@example.com', message: `Grüße +AFs- ${charset}` },
        { 'content-type': `application/json; charset=${charset}` },
      );
      expect([charset, response.status]).toEqual([charset, 200]);
      const inbox = await (await site.fetch('/api/messages', { headers: { cookie } })).text();
      expect(inbox).toContain(`Grüße +AFs- ${charset}`);
    }
  },
);

it('form post is read as UTF-8, whatever charset it names', async () => {
  const cookie = await signIn(site);
  await site.fetch('/api/contact', {
    method: 'POST',
    body: 'name=Zoë&email=zoe@example.com&message=Grüße',
    headers: { 'content-type': 'application/x-www-form-urlencoded; charset=iso-8859-1' },
  });
  const inbox = await (await site.fetch('/api/messages', { headers: { cookie } })).text();
  expect(inbox).toContain('Grüße');
});

it('JSON in UTF-7 cannot hide that it nests more than 32 levels', async () => {
  const brackets = (sign: string) =>
    `+${Buffer.from(sign.repeat(300), 'utf16le').swap16().toString('base64').replaceAll('=', '')}-`;
  const body = `{"name":"Ada","email":"a@b.co","message":"x","hq7x":${brackets('[')}1${brackets(']')}}`;
  const type = { 'content-type': 'application/json; charset=utf-7' };
  expect((await site.post('/api/contact', body, type)).status).toBe(400);
});

it('body of a length above the limit returns 413 before it arrives', async () => {
  for (const path of ['/api/contact', '/api/trpc/contact.submit']) {
    const socket = connect(Number(new URL(site.origin).port), '127.0.0.1');
    sockets.push(socket);
    const type = 'Content-Type: application/json';
    socket.write(
      `POST ${path} HTTP/1.1\r\nHost: localhost\r\n${type}\r\nContent-Length: 3000000\r\n\r\n`,
    );
    expect(String(await once(socket, 'data'))).toMatch(/^HTTP\/1\.1 413 /);
  }
});

it('GET with a body of another type than JSON returns 200, as the body is not read', async () => {
  const socket = connect(Number(new URL(site.origin).port), '127.0.0.1');
  sockets.push(socket);
  const path = '/api/booking/slots?call=strategy-call';
  socket.write(
    `GET ${path} HTTP/1.1\r\nHost: localhost\r\nContent-Type: text/plain\r\nContent-Length: 2\r\n\r\nab`,
  );
  expect(String(await once(socket, 'data'))).toMatch(/^HTTP\/1\.1 200 /);
});
