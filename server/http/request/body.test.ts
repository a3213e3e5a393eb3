/** Clients that send only a part of a body. */
import { once } from 'node:events';
import { connect, type Socket } from 'node:net';
import { pino } from 'pino';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { openTestSite, type TestSite } from '../../testing/site.ts';
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

it('address with too many unfinished bodies loses its oldest one', async () => {
  const other = await stall(addressOf(2));
  const all: Socket[] = [];
  for (let n = 0; n < 20; n++) all.push(await stall(addressOf(1)));
  await expect.poll(() => warnings, { timeout: 20_000 }).toHaveLength(1);
  const [oldest] = all;
  const newest = all.at(-1);
  if (!oldest || !newest) throw new Error('No connections.');
  expect(await responseTo(oldest)).toEqual(refused);
  expect(await responseTo(newest)).toEqual(read);
  expect(await responseTo(other)).toEqual(read);
  expect(await post(addressOf(1))).toBe(200);
});

it('slow sender keeps its body while 20 IPv6 blocks of one network hold 280 unfinished bodies', async () => {
  const slow = await stall(addressOf(0));
  const others: Socket[] = [];
  for (let n = 0; n < 280; n++) others.push(await stall(`2001:db8:0:${n % 20}::1`));
  await expect
    .poll(() => warnings)
    .toEqual(['request bodies: too many are unfinished, rejecting the oldest']);
  const [oldest] = others;
  const newest = others.at(-1);
  if (!oldest || !newest) throw new Error('No connections.');
  expect(await responseTo(oldest)).toEqual(refused);
  expect(await responseTo(newest)).toEqual(read);
  expect(await responseTo(slow)).toEqual(read);
});

it('largest network loses its oldest body when the memory for bodies is full', async () => {
  const slow = await stall(addressOf(0));
  const oldest = await stall(addressOf(1));
  for (let n = 0; n < 14; n++) await stall(addressOf(1));
  for (let n = 0; n < 250; n++) await stall(addressOf(2 + (n % 25)));
  await expect
    .poll(() => warnings)
    .toEqual(['request bodies: too many are unfinished, rejecting the oldest']);
  expect(await responseTo(oldest)).toEqual(refused);
  expect(await responseTo(slow)).toEqual(read);
  expect(await post(addressOf(99))).toBe(200);
});

it('address stays within its share after many small bodies', async () => {
  const small: Socket[] = [];
  for (let n = 0; n < 60; n++) small.push(await stall(addressOf(1), '1\r\nx\r\n'));
  const large: Socket[] = [];
  for (let n = 0; n < 20; n++) large.push(await stall(addressOf(1)));
  await expect.poll(() => warnings, { timeout: 20_000 }).toHaveLength(1);
  const [oldest] = large;
  if (!oldest) throw new Error('No connections.');
  expect(await responseTo(oldest)).toEqual(refused);
});

it('body in one-byte chunks counts with its memory overhead', async () => {
  const socket = await stall(addressOf(1), '1\r\nx\r\n'.repeat(20_000));
  await expect.poll(() => warnings, { timeout: 20_000 }).toHaveLength(1);
  socket.write('0\r\n\r\n');
  const [response] = await once(socket, 'data');
  expect(String(response)).toEqual(refused);
});

it('aborted bodies release their memory', async () => {
  for (let n = 0; n < 15; n++) await stall(addressOf(1));
  for (const socket of sockets) socket.destroy();
  await Promise.all(sockets.map((socket) => socket.closed || once(socket, 'close')));
  const later: Socket[] = [];
  for (let n = 0; n < 15; n++) later.push(await stall(addressOf(1)));
  for (const socket of later) expect(await responseTo(socket)).toEqual(read);
  expect(warnings).toEqual([]);
});
