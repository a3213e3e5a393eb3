/** The alert about a proxy whose address is counted instead of its visitors', by requests as proxies pass them on. */
import { pino } from 'pino';
import { expect, it } from 'vitest';
import { browser, openTestSite, signIn } from '../testing/site.ts';
import { createProxyMonitor } from './proxy-monitor.ts';

const warning = 'nearly all visitors share one network address: check TRUST_PROXY';
const people = (n: number) => Array.from({ length: n }, (_, i) => i + 1);

/** What the owner sees and the log says after visits with these headers. */
async function alertAfter(visits: Record<string, string>[], TRUST_PROXY = '1') {
  const lines: string[] = [];
  const log = pino({ level: 'warn' }, { write: (line) => void lines.push(JSON.parse(line).msg) });
  const site = await openTestSite({ env: { TRUST_PROXY }, log });
  try {
    for (const headers of visits) {
      const fromPage = { 'sec-fetch-site': 'same-origin', ...headers };
      await site.post('/api/activity', { type: 'page_view' }, fromPage);
    }
    const cookie = await signIn(site, { 'x-forwarded-for': '192.0.2.200' });
    const dashboard = await site.fetch('/api/analytics/dashboard', { headers: { cookie } });
    return { alert: (await dashboard.json()).alert, lines };
  } finally {
    await site.close();
  }
}

it.each([
  [
    'nginx appends Cloudflare’s address and TRUST_PROXY is 1',
    (n: number) => ({ 'x-forwarded-for': `192.0.2.${n}, 172.70.1.1` }),
    '1',
  ],
  [
    'Caddy replaces the header by one of Cloudflare’s many addresses',
    (n: number) => ({ 'x-forwarded-for': `172.70.1.${n}`, 'cf-connecting-ip': `192.0.2.${n}` }),
    '1',
  ],
  [
    'a proxy tells no address of its visitors',
    (n: number) => ({ 'x-forwarded-for': '198.51.100.1', 'user-agent': `${browser} OPR/${n}` }),
    '1',
  ],
  ['TRUST_PROXY is off', (n: number) => ({ 'x-forwarded-for': `192.0.2.${n}` }), 'off'],
])('dashboard warns of one address after 14 visitors when %s', async (_when, visit, trust) => {
  const { alert, lines } = await alertAfter(people(14).map(visit), trust);
  expect(alert).toMatch(/^Nearly all visitors .* npm run admin -- sessions\. .* set TRUST_PROXY/);
  expect(lines.filter((line) => line === warning)).toHaveLength(1);
});

it.each([
  [
    'the proxies are trusted',
    people(14).map((n) => ({
      'x-forwarded-for': `192.0.2.${n}, 172.70.1.1`,
      'cf-connecting-ip': `192.0.2.${n}`,
    })),
    '2',
  ],
  [
    'two people and then an office of ten visit',
    people(12).map((n) => ({
      'x-forwarded-for': n < 3 ? `192.0.2.${n}` : '198.51.100.1',
      'user-agent': `${browser} OPR/${n}`,
    })),
    '1',
  ],
  [
    'one person tests the site in nine browsers',
    people(90).map((n) => ({
      'x-forwarded-for': '198.51.100.1',
      'user-agent': `${browser} OPR/${n % 9}`,
    })),
    '1',
  ],
  ['households have IPv6', people(14).map((n) => ({ 'x-forwarded-for': `2001:db8:${n}::1` })), '1'],
  [
    'fourteen programs on this machine visit without a proxy, with one browser name',
    people(14).map(() => ({})),
    'off',
  ],
])('dashboard does not warn of one address when %s', async (_when, visits, trust) => {
  const { alert, lines } = await alertAfter(visits, trust);
  expect(alert).toBeNull();
  expect(lines).not.toContain(warning);
});

it('fourteen browser names of one program cause no alert about one address', async () => {
  const names = people(14).map((n) => ({
    'x-forwarded-for': '198.51.100.1',
    'user-agent': `${browser} OPR/${n}`,
    'sec-fetch-site': 'cross-site',
  }));
  expect((await alertAfter(names)).alert).toBeNull();
});

it('alert about one address stays over a quiet night, and ends once visitors have their own', () => {
  let at = 0;
  const monitor = createProxyMonitor({ now: () => at, log: pino({ enabled: false }) });
  for (const n of people(14)) monitor.record({ address: '172.70.1.1', sender: `${n}` });
  expect(monitor.alert()).toBeDefined();
  at += 25 * 60 * 60_000;
  for (const n of people(9)) monitor.record({ address: `192.0.2.${n}`, sender: `${n}` });
  expect(monitor.alert()).toBeDefined();
  monitor.record({ address: '192.0.2.10', sender: '10' });
  expect(monitor.alert()).toBeUndefined();
});

it('alert about one address ends after a quiet day', () => {
  let at = 0;
  const monitor = createProxyMonitor({ now: () => at, log: pino({ enabled: false }) });
  for (const n of people(14)) monitor.record({ address: '172.70.1.1', sender: `${n}` });
  at += 36 * 60 * 60_000;
  expect(monitor.alert()).toBeDefined();
  at += 36 * 60 * 60_000;
  expect(monitor.alert()).toBeUndefined();
});
