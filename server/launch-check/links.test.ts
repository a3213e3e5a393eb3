import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import {
  type Behaviour,
  hangs,
  openTestCalendar,
  redirectsTo,
  respondsWith,
  type TestCalendar,
} from '../testing/calendar.ts';
import { site } from '../testing/sample-config.ts';
import { linkFindings, loopbackFindings } from './links.ts';

const none = { links: { instagram: '', linkedin: '', quiz: '', checkout: '' }, optInScript: '' };

let other: TestCalendar;
beforeEach(async () => {
  other = await openTestCalendar();
});
afterEach(() => other.close());

async function sentences(addresses: Partial<Parameters<typeof linkFindings>[0]>, timeout = 20_000) {
  const schedulers = { strategyCall: '', inboxReview: '' };
  const findings = await linkFindings(
    { ...none, schedulers, ...addresses },
    { fetch: globalThis.fetch, timeout },
  );
  return findings.map(({ kind, where, text }) => `${kind}: ${where} ${text}`);
}

const quiz = (behaviour: Behaviour) => {
  other.setBehaviour(behaviour);
  return sentences({ links: { ...none.links, quiz: `${other.origin}/quiz` } });
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

it('a calendar that never responds is something to do', async () => {
  other.setBehaviour(hangs);
  const schedulers = { strategyCall: `${other.origin}/call`, inboxReview: '' };
  expect(await sentences({ schedulers }, 400)).toEqual([
    `todo: schedulers.strategyCall does not respond within 0.4 seconds. Open it to check it. (${other.origin}/call)`,
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

  it('a link that redirects into a local network is not followed there', async () => {
    const inside = await openTestCalendar();
    let requests = 0;
    inside.setBehaviour((res, req) => {
      requests += 1;
      respondsWith(404)(res, req);
    });
    expect(await quiz(redirectsTo(`${inside.origin}/admin`))).toEqual([]);
    expect(requests).toBe(0);
    await inside.close();
  });

  it('a link to an unreachable server is something to do', async () => {
    const gone = await openTestCalendar();
    await gone.close();
    expect(await sentences({ optInScript: `${gone.origin}/opt-in.js` })).toEqual([
      `todo: optInScript cannot be reached (ECONNREFUSED). Check the spelling. (${gone.origin}/opt-in.js)`,
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
    Object.fromEntries(Object.keys(part).map((name) => [name, `${other.origin}/${name}`]));
  const found = await sentences({
    links: everywhere(site.links) as typeof site.links,
    schedulers: everywhere(site.schedulers) as typeof site.schedulers,
    optInScript: `${other.origin}/opt-in.js`,
  });
  expect(found.map((text) => text.split(' ')[1]).sort()).toEqual(
    [
      ...Object.keys(site.links).map((name) => `links.${name}`),
      ...Object.keys(site.schedulers).map((name) => `schedulers.${name}`),
      'optInScript',
    ].sort(),
  );
});
