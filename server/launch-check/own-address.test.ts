import { createServer as createTlsServer } from 'node:https';
import type { AddressInfo } from 'node:net';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { type Behaviour, redirectsTo, respondsWith } from '../testing/calendar.ts';
import { certificate, key } from '../testing/certificate.ts';
import { lookupBy, testNetwork } from '../testing/outbound.ts';
import { ownAddressFindings, ownAddressOf } from './own-address.ts';

let behaviour: Behaviour;
let paths: (string | undefined)[];
let address: string;
let close: () => Promise<unknown>;
beforeEach(async () => {
  paths = [];
  const server = createTlsServer({ key, cert: certificate }, (req, res) => {
    paths.push(req.url);
    behaviour(res, req);
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  address = `https://localhost:${(server.address() as AddressInfo).port}`;
  close = () => new Promise((resolve) => server.close(resolve));
});
afterEach(() => close());

const trusting = {
  ...testNetwork,
  lookup: lookupBy(() => ['127.0.0.1']),
  ca: certificate,
  timeoutMs: 20_000,
};
const sentences = async (network: Parameters<typeof ownAddressFindings>[1] = trusting) =>
  (await ownAddressFindings(address, network)).map(
    ({ kind, where, text }) => `${kind}: ${where} ${text.replace(address, 'https://me.com')}`,
  );

it('an address at which the site responds has no finding', async () => {
  behaviour = (res, req) => respondsWith(req.url === '/healthz' ? 200 : 404)(res, req);
  expect(await sentences()).toEqual([]);
  expect(paths).toEqual(['/healthz', '/api/none']);
});

it.each([
  ['has no such page', 404],
  ['has a page at every path, as that of a parked domain', 200],
])('an address of another site that %s is something to do', async (_, status) => {
  behaviour = respondsWith(status);
  expect(await sentences()).toEqual([
    'todo: PUBLIC_URL is https://me.com. This address leads to another site. Let its DNS record lead to this server; a change takes up to a day.',
  ]);
});

it('an address whose proxy reaches no server, or whose certificate is not trusted, is something to do', async () => {
  behaviour = respondsWith(502);
  expect(await sentences()).toEqual([expect.stringMatching(/leads to a server error \(502\)/)]);
  expect(await sentences({ ...trusting, ca: undefined })).toEqual([
    expect.stringMatching(/^todo: .* This address has a certificate that is not trusted/),
  ]);
});

it('an address that the server cannot reach itself is unknown', async () => {
  behaviour = redirectsTo('https://127.0.0.2/');
  const sentence =
    'unknown: PUBLIC_URL is https://me.com, which this server cannot reach itself. Open it on another device to check it.';
  expect(await sentences()).toEqual([sentence]);
  await close();
  expect(await sentences()).toEqual([sentence]);
  close = async () => {};
});

it.each([
  ['https://www.adabrook.com', 'https://www.adabrook.com'],
  [undefined, undefined],
  ['http://www.adabrook.com', undefined],
  ['https://localhost:3000', undefined],
  ['https://ada.example', undefined],
])('of the setting %s the address %s is requested', (PUBLIC_URL, expected) => {
  expect(ownAddressOf({ PUBLIC_URL })).toBe(expected);
});
