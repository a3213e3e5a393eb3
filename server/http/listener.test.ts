/** Slow, idle, numerous and malformed clients, on real connections. */
import { once } from 'node:events';
import type { IncomingMessage, ServerResponse } from 'node:http';
import { type AddressInfo, connect, type Socket } from 'node:net';
import { text } from 'node:stream/consumers';
import { afterEach, expect, it } from 'vitest';
import { createLog } from '../log.ts';
import { createListener, type Listener, type ListenerLimits } from './listener.ts';

const log = createLog('silent', { pretty: false });
const greeting = 'GET / HTTP/1.1\r\nHost: a\r\n\r\n';
const goodbye = 'GET / HTTP/1.1\r\nHost: a\r\nConnection: close\r\n\r\n';
const post = 'POST / HTTP/1.1\r\nHost: a\r\nContent-Length: 10\r\n\r\n';

let listener: Listener | undefined;
let sockets: Socket[] = [];

afterEach(async () => {
  for (const socket of sockets) socket.destroy();
  sockets = [];
  if (listener?.server.listening) {
    await listener.stop({ graceMs: 0, signal: new AbortController().signal });
  }
});

/** Listens; the responses of `handler` wait in `responses` until the test ends them. */
async function listen(overrides: Partial<ListenerLimits> = {}) {
  const responses: ServerResponse[] = [];
  const handler = (_: IncomingMessage, res: ServerResponse) => void responses.push(res);
  listener = createListener(handler, {
    log,
    overrides: { checkIntervalMs: 20, ...overrides },
  });
  listener.server.listen(0, '127.0.0.1');
  await once(listener.server, 'listening');
  return { ...listener, responses };
}

/** A connection and, once it is closed, all that came over it. */
async function open(says = '') {
  const address = listener?.server.address() as AddressInfo | undefined;
  const socket = connect(address?.port ?? 0, '127.0.0.1');
  sockets.push(socket);
  let received = '';
  socket.on('data', (chunk: Buffer) => {
    received += chunk;
  });
  socket.on('error', () => {});
  const closed = new Promise<string>((resolve) => socket.on('close', () => resolve(received)));
  await once(socket, 'connect');
  socket.write(says);
  return { socket, closed };
}

/** Waits until the handler was called `n` times; returns the last response. */
async function waitForResponses(responses: ServerResponse[], n: number): Promise<ServerResponse> {
  for (;;) {
    const last = responses[n - 1];
    if (last) return last;
    await new Promise((resolve) => setTimeout(resolve, 5));
  }
}

it('request returns 408 when its headers arrive too slowly', async () => {
  await listen({ headersTimeoutMs: 100 });
  const { socket, closed } = await open('GET / HTTP/1.1\r\nHost: a\r\n');
  const drip = setInterval(() => socket.write('X-A: b\r\n'), 20);
  const response = await closed;
  clearInterval(drip);
  expect(response).toMatch(/^HTTP\/1\.1 408 /);
});

it('request returns 408 when its body arrives too slowly', async () => {
  const { responses } = await listen({ headersTimeoutMs: 100, requestTimeoutMs: 150 });
  const { socket, closed } = await open(post.replace('10', '1000'));
  const request = (await waitForResponses(responses, 1)).req;
  const drip = setInterval(() => socket.write('x'), 20);
  const response = await closed;
  clearInterval(drip);
  expect(response).toMatch(/^HTTP\/1\.1 408 /);
  expect(request.complete).toBe(false);
});

it('connection without a request closes after the headers timeout', async () => {
  await listen({ headersTimeoutMs: 100 });
  const { closed } = await open();
  expect(await closed).toMatch(/^HTTP\/1\.1 408 /);
});

it('idle keep-alive connection stays open beyond the request timeouts', async () => {
  const { responses } = await listen({ headersTimeoutMs: 50, requestTimeoutMs: 50 });
  const { socket } = await open(greeting);
  (await waitForResponses(responses, 1)).end('one');
  // Five times as long as a request may take.
  await new Promise((resolve) => setTimeout(resolve, 250));
  socket.write(greeting);
  (await waitForResponses(responses, 2)).end('two');
  await once(socket, 'data');
  expect(socket.destroyed).toBe(false);
});

it('connection closes when the client does not read the response', async () => {
  const { responses } = await listen({ socketTimeoutMs: 100 });
  const { socket } = await open(greeting);
  socket.pause();
  const res = await waitForResponses(responses, 1);
  res.write(Buffer.alloc(32 * 1024 * 1024));
  await once(res, 'close');
  expect(res.writableFinished).toBe(false);
});

it.each([
  ['no HTTP', '\x16\x03\x01\x02\x00\x01\x00\x01\xfc\x03\x03\r\n\r\n', 400],
  ['no method', 'HELLO / HTTP/1.1\r\n\r\n', 400],
  ['two lengths', `${post.slice(0, -2)}Transfer-Encoding: chunked\r\n\r\n0\r\n\r\n`, 400],
  [
    'a chunk without length',
    `${post.replace(/Content.*\r\n/, 'Transfer-Encoding: chunked\r\n')}zz\r\n`,
    400,
  ],
  ['a long header', `GET / HTTP/1.1\r\nHost: a\r\nX: ${'x'.repeat(17_000)}\r\n\r\n`, 431],
])('server rejects %s and closes the connection', async (_, says, status) => {
  await listen();
  const { closed } = await open(says);
  expect(await closed).toMatch(new RegExp(`^HTTP/1\\.1 ${status} `));
});

it('connection above the limit is closed, and open ones stay', async () => {
  const { responses } = await listen({ connections: 2 });
  const first = [await open(greeting), await open(greeting)];
  await waitForResponses(responses, 2);
  expect(await (await open(greeting)).closed).toBe('');
  for (const response of responses) response.end('kept');
  const received = await Promise.all(first.map(({ socket }) => once(socket, 'data')));
  for (const data of received) expect(String(data)).toContain('kept');
});

it.each([
  ['requests', greeting],
  ['requests with an unknown Expect', greeting.replace('\r\n\r\n', '\r\nExpect: x\r\n\r\n')],
])('connection closes when it pipelines more than 16 %s', async (_, says) => {
  const { responses } = await listen();
  const { closed } = await open(says.repeat(1000));
  expect(await closed).toBe('');
  expect(responses).toHaveLength(16);
});

it('server responds to sixteen pipelined requests in order', async () => {
  const { responses } = await listen();
  const { socket, closed } = await open(greeting.repeat(15) + goodbye);
  await waitForResponses(responses, 16);
  for (let n = 16; n >= 1; n--) responses[n - 1]?.end(`response ${n}.`);
  expect((await closed).match(/response \d+/g)).toEqual(
    Array.from({ length: 16 }, (_, n) => `response ${n + 1}`),
  );
  expect(socket.destroyed).toBe(true);
});

it('server reads the rest of a body once its pipelined request is handled', async () => {
  const { responses } = await listen();
  const { socket } = await open(greeting + post);
  const response = await waitForResponses(responses, 1);
  socket.write('0123456789');
  response.end('one');
  const second = await waitForResponses(responses, 2);
  expect(await text(second.req)).toBe('0123456789');
  second.end('two');
  socket.write(greeting);
  (await waitForResponses(responses, 3)).end('three');
});

it('shutdown finishes pending requests and closes idle connections', async () => {
  const { responses, stop } = await listen();
  const { closed } = await open(greeting);
  const silent = await open();
  const kept = await open(greeting);
  (await waitForResponses(responses, 2)).end();
  await once(kept.socket, 'data');
  const stopped = stop({ graceMs: 60_000, signal: new AbortController().signal });
  await Promise.all([silent.closed, kept.closed]);
  (await waitForResponses(responses, 1)).end('done');
  expect(await closed).toMatch(/done/);
  await stopped;
});

it('shutdown lets a slow reader receive the whole response', async () => {
  const { responses, stop } = await listen();
  const { socket, closed } = await open(goodbye.replace('close', 'keep-alive'));
  socket.pause();
  (await waitForResponses(responses, 1)).end(Buffer.alloc(8 * 1024 * 1024, 'x'));
  const stopped = stop({ graceMs: 60_000, signal: new AbortController().signal });
  await new Promise((resolve) => setTimeout(resolve, 300));
  socket.resume();
  expect((await closed).match(/x*$/)?.[0]).toHaveLength(8 * 1024 * 1024);
  await stopped;
});

it('shutdown responds to a request whose headers are still arriving', async () => {
  const { responses, stop } = await listen();
  const { socket, closed } = await open(greeting);
  (await waitForResponses(responses, 1)).end('one');
  await once(socket, 'data');
  socket.write(goodbye.slice(0, 10));
  await new Promise((resolve) => setTimeout(resolve, 100));
  const stopped = stop({ graceMs: 60_000, signal: new AbortController().signal });
  await new Promise((resolve) => setTimeout(resolve, 300));
  socket.write(goodbye.slice(10));
  (await waitForResponses(responses, 2)).end('two');
  expect(await closed).toMatch(/two/);
  await stopped;
});

it('shutdown destroys pending requests after its grace period or an abort', async () => {
  for (const isHurried of [false, true]) {
    const { responses, stop } = await listen();
    const { closed } = await open(greeting);
    await waitForResponses(responses, 1);
    const hurry = new AbortController();
    const stopped = stop({ graceMs: isHurried ? 60_000 : 50, signal: hurry.signal });
    if (isHurried) hurry.abort();
    await stopped;
    expect(await closed).toBe('');
  }
});
