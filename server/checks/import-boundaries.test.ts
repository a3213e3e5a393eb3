import { readdir, readFile } from 'node:fs/promises';
import { expect, it } from 'vitest';
import { type Source, violationsOf } from './import-boundaries.ts';

async function sources(): Promise<Source[]> {
  const paths = ['site.config.ts', ...(await filesBelow('src')), ...(await filesBelow('server'))];
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

it.each([
  ['src/contact/form.tsx', "import { appRouter } from '../../server/trpc/router.ts';"],
  ['src/contact/form.tsx', "import type { Env } from '../../server/env.ts';"],
  ['src/boot/boot.ts', "import { controls } from '../../server/contract/controls.ts';"],
  ['src/boot/boot.ts', "const late = await import('../../server/env.ts');"],
  ['server/contact/router.ts', "import { ContactForm } from '../../src/contact/form.tsx';"],
  ['server/contact/router.ts', "import { dayOf } from '../analytics/visitors.ts';"],
  ['server/booking/frame-monitor.ts', "import { isPage } from '../http/pages.ts';"],
  ['server/contact/router.ts', "import express from 'express';"],
  ['server/trpc/errors.ts', "import { openSite } from '../app/site.ts';"],
  ['server/trpc/trpc.ts', "import { sendFault } from '../http/error-response.ts';"],
  ['server/contract/routes.ts', "import { appRouter } from '../trpc/router.ts';"],
  ['server/database/sqlite/sqlite.ts', "import { dayOf } from '../../analytics/visitors.ts';"],
  ['src/ui/field.tsx', "import { LandingPage } from '../landing/page.tsx';"],
  ['src/auth/page.tsx', "import { DashboardPage } from '../dashboard/page.tsx';"],
  ['src/inbox/page.tsx', "import { LandingPage } from '../landing/page.tsx';"],
  ['server/analytics/router.ts', "import { saleOf } from '../sales/fold.ts';"],
  ['src/quiz/trigger.ts', "import {\n  ContactForm,\n} from '../contact/form.tsx';"],
  ['site.config.ts', "import { system } from './src/theme/theme.ts';"],
])('import that breaks a boundary in %s is reported: %s', (path, text) => {
  expect(violationsOf([{ path, text }])).toHaveLength(1);
});

it.each([
  ['src/contact/form.tsx', "import { site } from '../../site.config.ts';"],
  ['src/api/rest-link.ts', "import { routes } from '../../server/contract/routes.ts';"],
  [
    'src/booking/button.tsx',
    "import { isPlaceholder } from '../../server/contract/placeholder.ts';",
  ],
  ['src/api/trpc.ts', "import type { AppRouter } from '../../server/contract/api.ts';"],
  ['src/islands/contact.tsx', "import { ContactForm } from '../contact/form.tsx';"],
  ['server/trpc/context.ts', "import type { ContactStore } from '../contact/store.ts';"],
  ['server/http/rest.ts', "import { routes } from '../contract/routes.ts';"],
  ['server/analytics/router.test.ts', "import { openTestSite } from '../testing/site.ts';"],
])('allowed import in %s is not reported: %s', (path, text) => {
  expect(violationsOf([{ path, text }])).toEqual([]);
});
