/** What SpamAssassin thinks of every email that the server sends. Runs with `TEST_LONG`, since it needs the program. */
import { spawnSync } from 'node:child_process';
import { expect, it } from 'vitest';
import { brand } from '../testing/email.ts';
import { emailSamples, type Typed } from '../testing/email-samples.ts';
import { openTestSmtp } from '../testing/smtp.ts';
import { createSmtp } from './smtp.ts';

/** A short message of somebody at a free mail host, as many genuine ones are. */
const short: Typed = {
  name: 'Bob',
  email: 'bob.marchetti@aol.com',
  message: 'CALL ME BACK PLEASE. WEBSITE QUESTIONS. 413 555 0148',
  source: 'newsletter',
};

/** The way of an email: from the site to the owner's mail server, which passes it on. Rules look for reserved addresses. */
function headersOfDelivery(): string {
  const date = new Date().toUTCString().replace('GMT', '+0000');
  return [
    'Return-Path: <me@my-domain.com>',
    'Received: from mail.my-domain.com (mail.my-domain.com [93.184.216.34])',
    `\tby mx.example.com with ESMTPS id 4F2; ${date}`,
    'Received: from [93.184.216.80] (site.my-domain.com [93.184.216.80])',
    `\tby mail.my-domain.com with ESMTPSA id 4F1; ${date}`,
    '',
  ].join('\r\n');
}

/** The points of an email as the server of the recipient gives them, by rules that need no network. */
function pointsOf(source: string): { total: number; rules: string } {
  const { stdout, error } = spawnSync(
    'spamassassin',
    ['--local', '--prefs-file=/dev/null', '--cf=use_bayes 0', '--cf=report_safe 0'].concat(
      '--cf=clear_headers',
      '--cf=add_header all Points _SCORE_ _TESTSSCORES_',
      '--cf=fold_headers 0',
    ),
    { input: headersOfDelivery() + source, encoding: 'utf8' },
  );
  const found = /^X-Spam-Points: (\S+) (.*)$/m.exec(stdout ?? '');
  if (!found) {
    throw new Error('SpamAssassin did not run. On Debian: apt-get install spamassassin', {
      cause: error,
    });
  }
  return { total: Number(found[1]), rules: found[2] ?? '' };
}

const shortSamples = Object.entries(await emailSamples(short)).map(
  ([name, email]) => [`${name}, short`, email] as const,
);

it.each([...Object.entries(await emailSamples()), ...shortSamples])(
  'SpamAssassin gives email "%s" at most 1.5 of the 5 points of spam',
  async (_, email) => {
    const smtp = await openTestSmtp();
    const deliver = createSmtp({ url: smtp.url, to: ['me@my-domain.com'], brand });
    await deliver({ id: 'sample-a', ...email, queuedAt: Date.now(), deferrals: 0, refusals: 0 });
    await smtp.close();
    const { total, rules } = pointsOf(smtp.sources.at(-1) ?? '');
    expect(total, rules).toBeLessThanOrEqual(1.5);
  },
);
