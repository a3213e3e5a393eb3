import { createServer as createTlsServer } from 'node:https';
import type { AddressInfo } from 'node:net';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import {
  type Behaviour,
  hangs,
  openTestCalendar,
  redirectsTo,
  respondsWith,
  type TestCalendar,
} from '../testing/calendar.ts';
import { certificate, expiredCertificate, key } from '../testing/certificate.ts';
import { lookupBy, named, testNetwork } from '../testing/outbound.ts';
import { site } from '../testing/sample-config.ts';
import { linkFindings, loopbackFindings, problemOf } from './links.ts';
import { reach } from './reach.ts';

const none = { links: { instagram: '', linkedin: '', quiz: '', checkout: '' }, optInScript: '' };

let other: TestCalendar;
/** Its origin under a public name. */
let origin: string;
beforeEach(async () => {
  other = await openTestCalendar();
  origin = named(other.origin);
});
afterEach(() => other.close());

async function sentences(
  addresses: Partial<Parameters<typeof linkFindings>[0]>,
  timeoutMs = 20_000,
) {
  const schedulers = { strategyCall: '', inboxReview: '' };
  const findings = await linkFindings(
    { ...none, schedulers, ...addresses },
    { ...testNetwork, timeoutMs },
  );
  return findings.map(({ kind, where, text }) => `${kind}: ${where} ${text}`);
}

const quiz = (behaviour: Behaviour) => {
  other.setBehaviour(behaviour);
  return sentences({ links: { ...none.links, quiz: `${origin}/quiz` } });
};

it('launch check reports an address of this computer', () => {
  const findings = loopbackFindings({
    links: { ...none.links, quiz: 'http://localhost:3000/quiz' },
    schedulers: { strategyCall: 'https://calendly.com/a', inboxReview: 'http://127.0.0.1/b' },
    optInScript: '',
  });
  expect(findings.map(({ kind, where }) => [kind, where])).toEqual([
    ['todo', 'links.quiz'],
    ['todo', 'schedulers.inboxReview'],
  ]);
});

it('an address of this computer, which another check reports, gets no request and no second finding', async () => {
  const links = { ...none.links, quiz: `${other.origin}/quiz` };
  expect(await sentences({ links })).toEqual([]);
  expect(other.requests).toEqual([]);
});

it('a calendar that never responds is something to do', async () => {
  other.setBehaviour(hangs);
  const schedulers = { strategyCall: `${origin}/call`, inboxReview: '' };
  expect(await sentences({ schedulers }, 400)).toEqual([
    `todo: schedulers.strategyCall does not respond within 0.4 seconds. Open it to check it. (${origin}/call)`,
  ]);
});

describe('a link', () => {
  it.each<[status: number, sentence: RegExp]>([
    [404, /^todo: links\.quiz leads to a page that does not exist \(404\)/],
    [410, /^todo: links\.quiz leads to a page that does not exist \(410\)/],
    [503, /^todo: links\.quiz leads to a server error \(503\)/],
    [403, /^unknown: links\.quiz refuses automatic checks \(403\)/],
    [999, /^unknown: links\.quiz refuses automatic checks \(999\)/],
  ])('a link that responds with %d has a finding', async (status, sentence) => {
    expect(await quiz(respondsWith(status))).toEqual([expect.stringMatching(sentence)]);
  });

  it('a link that responds, also after a redirect, has no finding', async () => {
    expect(await quiz(respondsWith(200))).toEqual([]);
    expect(
      await quiz((res, req) =>
        (req.url === '/quiz' ? redirectsTo('/') : respondsWith(200))(res, req),
      ),
    ).toEqual([]);
  });

  it('a link into a local network is something to do, and gets no request, also after a redirect', async () => {
    const port = new URL(origin).port;
    const sentence =
      'leads into a local network, which no visitor can reach. Use a public address.';
    const inside = `http://inside.test:${port}/admin`;
    const links = { ...none.links, quiz: inside };
    expect(await sentences({ links })).toEqual([`todo: links.quiz ${sentence} (${inside})`]);
    expect(other.requests).toEqual([]);
    for (const target of [inside, `http://127.0.0.2:${port}/`, `http://[::ffff:7f00:1]:${port}/`]) {
      expect(await quiz(redirectsTo(target))).toEqual([
        `todo: links.quiz ${sentence} (${origin}/quiz)`,
      ]);
    }
    expect(other.requests).toEqual(['/quiz', '/quiz', '/quiz']);
  });

  it('a link that redirects to another program of the visitor responds', async () => {
    expect(await quiz(redirectsTo('mailto:ada@adabrook.com'))).toEqual([]);
  });

  it('a link to an unreachable server is something to do', async () => {
    const gone = await openTestCalendar();
    await gone.close();
    const optInScript = `${named(gone.origin)}/opt-in.js`;
    expect(await sentences({ optInScript })).toEqual([
      `todo: optInScript cannot be reached (ECONNREFUSED). Check the spelling. (${optInScript})`,
    ]);
  });

  it.each([
    ['has expired', expiredCertificate, 'localhost', /that has expired\. Ask its provider/],
    ['is of another address', certificate, 'site.test', /of another address\. Check the spelling/],
    ['is not trusted', undefined, 'localhost', /not trusted \(DEPTH_ZERO_SELF_SIGNED_CERT\)/],
  ])('a link whose certificate %s is something to do', async (_, ca, name, sentence) => {
    const server = createTlsServer({ key, cert: ca ?? certificate }, (_req, res) => res.end());
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    const { port } = server.address() as AddressInfo;
    const lookup = lookupBy(() => ['127.0.0.1']);
    const result = await reach(`https://${name}:${port}/`, {
      ...{ ...testNetwork, lookup, ca, timeoutMs: 20_000 },
    });
    expect(problemOf(result)).toMatch(sentence);
    await new Promise((resolve) => server.close(resolve));
  });

  it('a link by https to a server without it is something to do', async () => {
    const optInScript = `${origin.replace('http:', 'https:')}/opt-in.js`;
    expect(await sentences({ optInScript })).toEqual([
      expect.stringMatching(
        /^todo: optInScript has no working encryption \((EPROTO|ERR_SSL_\w+)\)\. Check the spelling/,
      ),
    ]);
  });
});

it('the launch check sends no requests for placeholders', async () => {
  const links = {
    instagram: 'https://a.example/',
    linkedin: 'https://b.example',
    quiz: 'https://c.example',
    checkout: 'https://d.example',
  };
  const schedulers = { strategyCall: 'https://d.example/call', inboxReview: '' };
  expect(await sentences({ links, schedulers })).toEqual([]);
});

it('the launch check requests every address of the config', async () => {
  other.setBehaviour(respondsWith(404));
  const everywhere = (part: object) =>
    Object.fromEntries(Object.keys(part).map((name) => [name, `${origin}/${name}`]));
  const found = await sentences({
    links: everywhere(site.links) as typeof site.links,
    schedulers: everywhere(site.schedulers) as typeof site.schedulers,
    optInScript: `${origin}/opt-in.js`,
  });
  expect(found.map((text) => text.split(' ')[1]).sort()).toEqual(
    [
      ...Object.keys(site.links).map((name) => `links.${name}`),
      ...Object.keys(site.schedulers).map((name) => `schedulers.${name}`),
      'optInScript',
    ].sort(),
  );
});
