import { afterEach, expect, it } from 'vitest';
import { codeOf } from '../errors.ts';
import { openTestServer } from '../testing/http-server.ts';
import { lookupBy } from '../testing/outbound.ts';
import { request } from './request.ts';

const opened: { close(): unknown }[] = [];
afterEach(async () => {
  for (const one of opened.splice(0)) await one.close();
});

/** A server of this machine, and the port of its address. */
async function openServer() {
  let requests = 0;
  const server = await openTestServer((_req, res) => {
    requests += 1;
    res.end();
  });
  opened.push(server);
  return { port: new URL(server.origin).port, requests: () => requests };
}

/** The status of the response, or the code of the error. */
const resultOf = (address: string, options: Parameters<typeof request>[1] = {}) =>
  request(new URL(address), options).then(
    (response) => {
      response.destroy();
      return response.statusCode;
    },
    (error: unknown) => codeOf(error),
  );

const isFirst = (address: string) => address === '127.0.0.1';

it.each([
  '127.0.0.1',
  '127.1',
  '2130706433',
  '0x7f000001',
  '0x7f.0.0.1',
  '0177.0.0.1',
  '127.0.0.1.',
  '0',
  '10.0.0.1',
  '169.254.169.254',
  '192.168.1.1',
  '１２７.0.0.1',
  '[::1]',
  '[::]',
  '[::ffff:127.0.0.1]',
  '[::ffff:7f00:1]',
  '[64:ff9b::7f00:1]',
  '[fd00::1]',
  '[fe80::1]',
])('request to %s is rejected without a connection', async (host) => {
  const { port, requests } = await openServer();
  expect(await resultOf(`http://${host}:${port}/`)).toBe('LOCAL_NETWORK');
  expect(await resultOf(`https://${host}:${port}/`)).toBe('LOCAL_NETWORK');
  expect(requests()).toBe(0);
});

it('request to a name of this machine is rejected without a connection', async () => {
  const { port, requests } = await openServer();
  expect(await resultOf(`http://localhost:${port}/`)).toBe('LOCAL_NETWORK');
  expect(requests()).toBe(0);
});

it('request connects to the allowed ones of the addresses that a name resolves to', async () => {
  const { port, requests } = await openServer();
  const lookup = lookupBy(() => ['10.0.0.1', '127.0.0.1']);
  expect(await resultOf(`http://site.example:${port}/`, { lookup, isAllowed: isFirst })).toBe(200);
  expect(requests()).toBe(1);
});

it('request checks the address anew when a name resolves to another one the second time', async () => {
  const { port, requests } = await openServer();
  const answers = [['127.0.0.1'], ['127.0.0.2']];
  const lookup = lookupBy(() => answers.shift() ?? []);
  const options = { lookup, isAllowed: isFirst };
  expect(await resultOf(`http://rebound.example:${port}/`, options)).toBe(200);
  expect(await resultOf(`http://rebound.example:${port}/`, options)).toBe('LOCAL_NETWORK');
  expect(requests()).toBe(1);
});

it.each([
  [
    'switches to another protocol',
    'HTTP/1.1 101 Switching Protocols\r\nUpgrade: x\r\nConnection: upgrade\r\n\r\n',
  ],
  ['announces a response that never comes', 'HTTP/1.1 100 Continue\r\n\r\n'],
  ['speaks another protocol', '220 mail.example ESMTP\r\n'],
  ['sends headers without an end', `HTTP/1.1 200 OK\r\n${'a: b\r\n'.repeat(20_000)}`],
  ['closes the connection', ''],
])('request rejects when the server %s', async (_, text) => {
  const server = await openTestServer(({ socket }) => void socket.end(text));
  opened.push(server);
  expect(await resultOf(server.origin, { isAllowed: isFirst })).toMatch(/^(ECONNRESET|HPE_\w+)$/);
});
