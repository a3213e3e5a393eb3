import { afterEach, expect, it } from 'vitest';
import { openTestDns, type TestDns, type Zone } from '../testing/dns.ts';
import { mailFindings } from './mail-domain.ts';

let dns: TestDns | undefined;
afterEach(() => dns?.close());

const complete: Zone = {
  'MX rowan.com': ['mail.rowan.com'],
  'TXT rowan.com': ['google-site-verification=x', 'v=spf1 include:_spf.mail.com -all'],
  'TXT _dmarc.rowan.com': ['v=DMARC1; p=quarantine'],
  'TXT selector1._domainkey.rowan.com': [`v=DKIM1; k=rsa; p=${'MIIB'.repeat(100)}`],
};

async function findings(
  zone: Zone | undefined,
  email = 'me@rowan.com',
  sender?: string,
): Promise<string[]> {
  dns = await openTestDns(zone);
  const all = await mailFindings({ email, sender }, dns.resolver);
  return all.map(({ kind, where, text }) => `${kind}: ${where} ${text}`);
}

const without = (name: string) => ({ ...complete, [name]: [] });

it('a domain with MX, SPF, DMARC and DKIM has no findings', async () => {
  expect(await findings(complete)).toEqual([]);
});

it.each([
  ['TXT rowan.com', /^todo: rowan\.com has no SPF record, .*Your email provider tells/],
  ['TXT _dmarc.rowan.com', /^todo: rowan\.com has no DMARC record, .*/],
  [
    'TXT selector1._domainkey.rowan.com',
    /^advice: rowan\.com may have no DKIM key: .* Ask your email provider\.$/,
  ],
  ['MX rowan.com', /^todo: rowan\.com receives no email: it has no MX record\./],
])('the launch check names a missing DNS record: %s', async (record, sentence) => {
  expect(await findings(without(record))).toEqual([expect.stringMatching(sentence)]);
});

const relay = {
  'TXT _dmarc.rowan-studio.com': ['v=DMARC1; p=none'],
  'TXT resend._domainkey.mail.rowan-studio.com': [`p=${'MIIB'.repeat(100)}`],
};

it('the domain of the sender needs DMARC and one of SPF and DKIM, and no mailbox', async () => {
  const sender = 'hello@mail.rowan-studio.com';
  expect(await findings({ ...complete, ...relay }, 'me@rowan.com', sender)).toEqual([]);
});

it('the launch check names what authenticates neither the site’s emails nor the owner’s replies', async () => {
  const zone = without('TXT _dmarc.rowan.com');
  expect(await findings(zone, 'me@rowan.com', 'hello@rowan-studio.com')).toEqual([
    expect.stringMatching(/^todo: rowan\.com has no DMARC record, so your replies may/),
    expect.stringMatching(/^todo: rowan-studio\.com has no SPF record, so the emails of your site/),
    expect.stringMatching(
      /^todo: rowan-studio\.com has no DMARC record, so the emails of your site/,
    ),
    expect.stringMatching(/^advice: rowan-studio\.com may have no DKIM key/),
  ]);
});

it('a revoked DKIM key counts as missing', async () => {
  const zone = { ...complete, 'TXT selector1._domainkey.rowan.com': ['v=DKIM1; p='] };
  expect(await findings(zone)).toEqual([expect.stringMatching(/^advice: .*DKIM/)]);
});

it('a DNS server that does not respond makes the domain unknown', async () => {
  expect(await findings(undefined)).toEqual([
    expect.stringMatching(
      /^unknown: rowan\.com could not be looked up \(\w+\)\. Try again later\.$/,
    ),
  ]);
});

it('the launch check sends no DNS queries for a placeholder', async () => {
  expect(await findings(undefined, 'hello@rowanhale.example')).toEqual([]);
});
