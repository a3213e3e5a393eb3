import { readdir, readFile } from 'node:fs/promises';
import { expect, it } from 'vitest';
import { type Source, violationsOf } from './borders.ts';

async function sources(): Promise<Source[]> {
  const paths = ['site.config.ts', ...(await filesBelow('src')), ...(await filesBelow('server'))];
  return Promise.all(paths.map(async (path) => ({ path, text: await readFile(path, 'utf8') })));
}

async function filesBelow(folder: string): Promise<string[]> {
  const names = await readdir(folder, { recursive: true });
  return names.filter((name) => /\.(tsx?|mjs)$/.test(name)).map((name) => `${folder}/${name}`);
}

it('the house keeps its import rules', async () => {
  const all = await sources();
  expect(all.length).toBeGreaterThan(50);
  expect(violationsOf(all)).toEqual([]);
});

it.each([
  ['src/contact/form.tsx', "import { appRouter } from '../../server/router.ts';"],
  ['src/contact/form.tsx', "import type { Env } from '../../server/env.ts';"],
  ['src/boot.ts', "import { controls } from '../server/contract/controls.ts';"],
  ['src/boot.ts', "const late = await import('../server/env.ts');"],
  ['server/contact/router.ts', "import { ContactForm } from '../../src/contact/form.tsx';"],
  ['server/contact/router.ts', "import { dayOf } from '../analytics/visitors.ts';"],
  ['server/booking/guardian.ts', "import { isPage } from '../http/pages.ts';"],
  ['server/contact/router.ts', "import express from 'express';"],
  ['server/errors.ts', "import { openSite } from './site.ts';"],
  ['server/trpc.ts', "import { sendFault } from './http/rest.ts';"],
  ['server/contract/routes.ts', "import { appRouter } from '../router.ts';"],
  ['server/database/sqlite.ts', "import { dayOf } from '../analytics/visitors.ts';"],
  ['src/ui/field.tsx', "import { LandingPage } from '../landing/page.tsx';"],
  ['src/auth/page.tsx', "import { DashboardPage } from '../analytics/page.tsx';"],
  ['src/quiz/trigger.ts', "import {\n  ContactForm,\n} from '../contact/form.tsx';"],
  ['site.config.ts', "import { system } from './src/theme.ts';"],
])('a planted violation in %s is caught: %s', (path, text) => {
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
  ['server/context.ts', "import type { ContactStore } from './contact/store.ts';"],
  ['server/http/rest.ts', "import { routes } from '../contract/routes.ts';"],
  ['server/analytics/router.test.ts', "import { openTestSite } from '../test-site.ts';"],
])('what is allowed in %s passes: %s', (path, text) => {
  expect(violationsOf([{ path, text }])).toEqual([]);
});
