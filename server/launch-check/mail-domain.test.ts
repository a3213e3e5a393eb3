import { afterEach, expect, it } from 'vitest';
import { openTestDns, type TestDns, type Zone } from '../testing/dns.ts';
import { mailFindings } from './mail-domain.ts';

let dns: TestDns | undefined;
afterEach(() => dns?.close());

const whole: Zone = {
  'MX rowan.com': ['mail.rowan.com'],
  'TXT rowan.com': ['google-site-verification=x', 'v=spf1 include:_spf.mail.com -all'],
  'TXT _dmarc.rowan.com': ['v=DMARC1; p=quarantine'],
  'TXT selector1._domainkey.rowan.com': [`v=DKIM1; k=rsa; p=${'MIIB'.repeat(100)}`],
};

async function findings(zone: Zone | undefined, email = 'me@rowan.com'): Promise<string[]> {
  dns = await openTestDns(zone);
  const found = await mailFindings(email, dns.resolver);
  return found.map(({ kind, where, text }) => `${kind}: ${where} ${text}`);
}

const without = (name: string) => ({ ...whole, [name]: [] });

it('finds nothing to do for a domain with MX, SPF, DMARC and DKIM', async () => {
  expect(await findings(whole)).toEqual([]);
});

it.each([
  ['TXT rowan.com', /^todo: rowan\.com has no SPF record, .*Your e-mail provider tells/],
  ['TXT _dmarc.rowan.com', /^todo: rowan\.com has no DMARC record, .*/],
  [
    'TXT selector1._domainkey.rowan.com',
    /^advice: rowan\.com may have no DKIM key: .* Ask your e-mail provider\.$/,
  ],
  ['MX rowan.com', /^todo: rowan\.com receives no e-mail: it has no MX record\./],
])('names what is missing: %s', async (record, sentence) => {
  expect(await findings(without(record))).toEqual([expect.stringMatching(sentence)]);
});

it('takes a revoked key for none', async () => {
  const zone = { ...whole, 'TXT selector1._domainkey.rowan.com': ['v=DKIM1; p='] };
  expect(await findings(zone)).toEqual([expect.stringMatching(/^advice: .*DKIM/)]);
});

it('does not guess when no name server answers', async () => {
  expect(await findings(undefined)).toEqual([
    expect.stringMatching(
      /^unknown: rowan\.com could not be looked up \(\w+\)\. Try again later\.$/,
    ),
  ]);
});

it('asks nobody about a placeholder', async () => {
  expect(await findings(undefined, 'hello@rowanhale.example')).toEqual([]);
});
