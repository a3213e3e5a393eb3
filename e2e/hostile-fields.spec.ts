/** Hostile texts in every field, in a real browser: the draft, its previews and the published site. A long test. */
import type { Page } from '@playwright/test';
import { en } from '../server/contract/words/en.ts';
import { fitted, hostileTexts, withPlaces } from '../server/testing/valid-documents.ts';
import { type built, patternOf, withTexts } from './hostile.ts';
import { signIn } from './screens.ts';
import { expect, testOnEmptySite as test } from './site.ts';

/** What a draft may hold, and a published site may not. */
const unpublishable = [
  '{{origin}}{{{made}}}',
  '{{#made}}',
  '\0\ud800<made>\udc00',
  'w'.repeat(900),
];

const madeIn = (page: Page) => page.locator('made, [made]');

async function expectTextsOnly(page: Page, path: string): Promise<void> {
  await page.goto(path);
  await expect(page.getByRole('heading', { level: 1 }).first()).toBeAttached();
  await expect(madeIn(page)).toHaveCount(0);
}

test(`hostile texts of every field stay texts in the editor, its previews and the published site, in ${hostileTexts.length} rounds`, async ({
  page,
  emptySite,
}) => {
  test.setTimeout(90_000 * hostileTexts.length);
  await page.setViewportSize({ width: 1440, height: 900 });
  await signIn(page, emptySite);
  const { fields } = (await (await page.request.get('/api/site/fields')).json()) as {
    fields: { path: string; max?: number }[];
  };
  const most = new Map(fields.map(({ path, max }) => [path, max]));
  let revision = 0;
  const read = async () =>
    (
      (await (await page.request.get('/api/site/draft')).json()) as {
        document: Record<string, unknown>;
      }
    ).document;
  let document = await read();
  const save = async (to: typeof built) => {
    const patches = Object.entries(to).map(([path, to]) => ({ path, from: document[path], to }));
    const response = await page.request.post('/api/site/draft', { data: { patches } });
    const saved = (await response.json()) as { revision: number; conflicts: []; mistakes: [] };
    expect([response.status(), saved.conflicts]).toEqual([200, []]);
    ({ revision } = saved);
    ({ document } = (await (await page.request.get('/api/site/draft')).json()) as {
      document: Record<string, unknown>;
    });
    return saved.mistakes;
  };
  const frame = page.frameLocator('iframe[title="Preview of your site"]');
  const choice = page.getByLabel('Page', { exact: true });
  const expectPreviews = async (names: readonly string[]) => {
    await page.goto('/analytics/site');
    for (const name of names) {
      await choice.selectOption(name);
      await expect(page.getByTitle('Preview of your site')).toHaveAttribute(
        ...(['src', new RegExp(`/preview/${name}\\?`)] as const),
      );
      await expect(frame.locator('[data-field]').first()).toBeAttached();
      await expect(frame.locator('made, [made]')).toHaveCount(0);
    }
    await expect(madeIn(page)).toHaveCount(0);
  };

  for (let round = 0; round < hostileTexts.length; round++) {
    const textOf = (texts: readonly string[], index: number) =>
      texts.map((_, i) => texts[(index + i + round) % texts.length]).join('');
    await test.step('a draft with any texts', async () => {
      const all = [...hostileTexts, ...unpublishable];
      expect(await save(withTexts((index) => textOf(all, index)))).not.toEqual([]);
      await page.goto('/analytics/site');
      await expect(choice).toBeVisible();
      const names = await choice
        .locator('option')
        .evaluateAll((all) => all.map((option) => (option as HTMLOptionElement).value));
      expect(names).toHaveLength(9);
      await expectPreviews(names);
      const typed = `</style><made made="1">{{origin}}`;
      await page.getByRole('textbox', { name: /^Headline/ }).fill(typed);
      await choice.selectOption('home');
      await expect(frame.getByRole('heading', { level: 1 })).toHaveText(typed);
      await expect(page.getByRole('group', { name: 'State of the draft' })).toContainText('saved');
      await expect(madeIn(page)).toHaveCount(0);
    });

    await test.step('a published site', async () => {
      const draft = await page.request.get('/api/site/draft');
      ({ document } = (await draft.json()) as { document: Record<string, unknown> });
      const texts = withPlaces(
        withTexts((index, path) =>
          fitted(textOf(hostileTexts, index), most.get(patternOf(path)) ?? 900),
        ),
        en,
      ) as typeof built;
      expect(await save(texts)).toEqual([]);
      await expectPreviews(['home']);
      const data = { revision };
      expect((await page.request.post('/api/site/publish', { data })).status()).toBe(200);
      for (const path of [
        '/privacy',
        '/imprint',
        '/book/strategy-call',
        '/analytics/site',
        '/analytics',
      ]) {
        await expectTextsOnly(page, path);
      }
      await expectTextsOnly(page, '/');
      const { contact } = texts.header;
      await page.locator('header [commandfor=contact]').first().click();
      await expect(page.locator('dialog#contact form [type=submit]')).toBeVisible();
      await expect(page.locator('header')).toContainText(contact.trim());
      await expect(madeIn(page)).toHaveCount(0);
    });
  }
});
