import { readdir, readFile } from 'node:fs/promises';
import { describe, expect, it } from 'vitest';
import { type Source, violationsOf } from './import-boundaries.ts';

async function sources(): Promise<Source[]> {
  const shared = ['site.config.ts', 'site.defaults.ts', 'site.placeholder.ts'];
  const paths = [...shared, ...(await filesBelow('src')), ...(await filesBelow('server'))];
  return Promise.all(paths.map(async (path) => ({ path, text: await readFile(path, 'utf8') })));
}

async function filesBelow(folder: string): Promise<string[]> {
  const names = await readdir(folder, { recursive: true });
  return names.filter((name) => /\.(tsx?|mjs)$/.test(name)).map((name) => `${folder}/${name}`);
}

it('sources respect the import boundaries', async () => {
  const all = await sources();
  expect(all.length).toBeGreaterThan(50);
  expect(violationsOf(all)).toEqual([]);
});

const downwards = 'imports point downwards';
const otherFeature = 'a feature imports no other feature';
const fewFeatures = 'of the features, only booking and reports import the analytics and sales';
const contractOnly = 'browser code imports server/contract only';
const wireOnly = 'browser code imports only types and the modules of wireCode from server/contract';
const typesOnly = 'browser code imports the contract, so the contract imports types only';
const noBrowserCode =
  'the server imports no browser code; server/build, which renders it, imports its types';
const dashboardOnly = 'only the dashboard imports the insights';
const adminOnly = 'only main, admin screens and insights import src/admin';
const asValue =
  'the server takes the site’s document as a value; only programs read site.config.ts';
const nothing = 'both sides read it, so it imports nothing';

it.each([
  ['site.config.ts', "import { system } from './src/theme/theme.ts';", nothing],
  ['site.defaults.ts', "import { wide } from './e2e/screens.ts';", nothing],
  ['site.placeholder.ts', "import type { Env } from './server/env.ts';", nothing],
  ['src/contact/form.tsx', "import { appRouter } from '../../server/app/router.ts';", contractOnly],
  ['src/contact/form.tsx', "import type { Env } from '../../server/env.ts';", contractOnly],
  ['src/boot/boot.ts', "const late = await import('../../server/env.ts');", contractOnly],
  ['src/boot/boot.ts', "import { api } from '../../server/contract/api.ts';", wireOnly],
  ['server/contact/router.ts', "import { Form } from '../../src/contact/form.tsx';", noBrowserCode],
  ['server/build/photos.ts', "import { Photo } from '../../src/ui/photo.tsx';", noBrowserCode],
  [
    'server/http/pages/pages.ts',
    "import type { A } from '../../../src/ui/photo.tsx';",
    noBrowserCode,
  ],
  ['server/contract/routes.ts', "import { appRouter } from '../app/router.ts';", typesOnly],
  ['server/contact/router.ts', "import express from 'express';", 'a feature imports no Express'],
  ['server/contact/router.ts', "import { record } from '../analytics/record.ts';", fewFeatures],
  ['server/booking/router.ts', "import { record } from '../contact/store.ts';", otherFeature],
  ['server/contact/email.ts', "import type { Sale } from '../sales/sale.ts';", fewFeatures],
  ['server/sales/store.ts', "import { record } from '../analytics/record.ts';", downwards],
  ['server/analytics/router.ts', "import { book } from '../booking/booking.ts';", otherFeature],
  ['src/quiz/trigger.ts', "import {\n  Form,\n} from '../contact/form.tsx';", otherFeature],
  ['src/auth/page.tsx', "import { Page } from '../dashboard/page.tsx';", otherFeature],
  ['src/inbox/page.tsx', "import type { Page } from '../landing/page.tsx';", otherFeature],
  ['src/inbox/page.tsx', "import { a } from '../dashboard/use-dashboard.ts';", otherFeature],
  ['src/dashboard/page.tsx', "import { a } from '../inbox/lazy-page.tsx';", otherFeature],
  ['src/inbox/page.tsx', "import type { Day } from '../insights/use-insights.ts';", dashboardOnly],
  ['src/landing/page.tsx', "import { Panel } from '../admin/panel.tsx';", adminOnly],
  ['server/booking/router.ts', "import { site } from '../../site.config.ts';", asValue],
  ['server/booking/reminders.ts', "import { a } from '../http/pages/pages.ts';", downwards],
  ['server/analytics/visitors.ts', "import type { Context } from '../app/context.ts';", downwards],
  ['server/contact/submission.ts', "import { router } from '../trpc/trpc.ts';", downwards],
  ['server/app/context.ts', "import type { router } from '../trpc/trpc.ts';", downwards],
  ['server/trpc/errors.ts', "import { openSite } from '../app/site.ts';", downwards],
  ['server/trpc/trpc.ts', "import { send } from '../http/response.ts';", downwards],
  ['server/email/smtp.ts', "import type { FormFields } from '../contact/message.ts';", downwards],
  ['server/database/sql.ts', "import type { Event } from '../analytics/model.ts';", downwards],
  ['server/log.ts', "import type { Database } from './database/database.ts';", downwards],
  ['src/insights/money.tsx', "import type { A } from '../dashboard/use-dashboard.ts';", downwards],
  ['src/admin/header.tsx', "import { a } from '../inbox/lazy-page.tsx';", downwards],
  ['src/ui/field.tsx', "import { LandingPage } from '../landing/page.tsx';", downwards],
])('import of %s that breaks a boundary is reported: %s', (path, text, rule) => {
  expect(violationsOf([{ path, text }])).toEqual([expect.stringContaining(rule)]);
});

it.each([
  ['src/contact/form.tsx', "import { site } from '../../site.config.ts';"],
  ['server/main.ts', "import { site } from '../site.config.ts';"],
  ['server/content/schema.ts', "import type { site } from '../../site.config.ts';"],
  ['src/booking/button.tsx', "import { isPlaceholder } from '../../site.placeholder.ts';"],
  ['src/api/rest-link.ts', "import { routes } from '../../server/contract/routes.ts';"],
  ['src/api/trpc.ts', "import type { AppRouter } from '../../server/contract/api.ts';"],
  ['src/dashboard/lazy-insights.tsx', "import('../insights/panels.tsx')"],
  ['src/insights/money.tsx', "import type { Report } from '../admin/report.ts';"],
  ['src/islands/contact.tsx', "import { ContactForm } from '../contact/form.tsx';"],
  ['src/landing/hero.tsx', "import { BookButton } from '../booking/button.tsx';"],
  ['server/build/photos.ts', "import type { MadePhoto } from '../../src/ui/photo.tsx';"],
  ['server/app/context.ts', "import type { ContactServices } from '../contact/submission.ts';"],
  ['server/http/rest.ts', "import { routes } from '../contract/routes.ts';"],
  ['server/reports/weekly.ts', "import type { Totals } from '../analytics/model.ts';"],
  ['server/analytics/router.ts', "import { saleOf } from '../sales/fold.ts';"],
  ['server/analytics/router.test.ts', "import { openTestSite } from '../testing/site.ts';"],
])('allowed import of %s is not reported: %s', (path, text) => {
  expect(violationsOf([{ path, text }])).toEqual([]);
});

describe('import cycle', () => {
  const file = (name: string, ...texts: string[]) => ({
    path: `server/contact/${name}.ts`,
    text: texts.join('\n'),
  });

  it('import cycle is reported, also when type imports close it', () => {
    const violations = violationsOf([
      file('a', "import { b } from './b.ts';"),
      file('b', "import type { C } from './c.ts';"),
      file('c', "export type { A } from './a.ts';"),
    ]);
    const [a, b, c] = ['a', 'b', 'c'].map((name) => `server/contact/${name}.ts`);
    expect(violations).toEqual([`${a} → ${b} → ${c} → ${a}: imports form a cycle`]);
  });

  it('import cycle is not reported when two files import the same third one', () => {
    const violations = violationsOf([
      file('a', "import { b } from './b.ts';", "import { c } from './c.ts';"),
      file('b', "import { c } from './c.ts';"),
      file('c'),
    ]);
    expect(violations).toEqual([]);
  });
});
