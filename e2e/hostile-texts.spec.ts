/** Texts of the owner's that try to leave their place: on every page they are text, and nothing else. */
import { test as base, type Page } from '@playwright/test';
import fc from 'fast-check';
import { fieldsIn } from '../server/content/document.ts';
import { createRenderer } from '../server/content/renderer.ts';
import { en } from '../server/contract/words/en.ts';
import { withWords } from '../server/contract/words/words.ts';
import {
  fitted,
  hostileTexts,
  validDocuments,
  withPlaces,
} from '../server/testing/valid-documents.ts';
import { site as file } from '../site.config.ts';
import { signIn } from './screens.ts';
import { expect, testOnEmptySite as test } from './site.ts';

/** The site as built, with the words of its language. */
const built = withWords(file);

const rounds = process.env.TEST_LONG ? hostileTexts.length : 1;
const documentCount = process.env.TEST_LONG ? 500 : 4;

const render = createRenderer('dist');
type Documents = Record<string, string>;

/** The HTML documents of a config, by name. */
async function pagesOf(config: typeof built): Promise<Documents> {
  const { documents } = await render.site({ config, photos: [] });
  JSON.parse(documents['manifest.webmanifest']);
  return Object.fromEntries(
    Object.entries(documents).filter(([name]) => name !== 'app' && !name.includes('.')),
  );
}

/** Runs in the browser: what its parser makes of a document. */
const parse = (documents: Documents) =>
  Object.fromEntries(
    Object.entries(documents).map(([name, html]) => {
      const page = new DOMParser().parseFromString(html, 'text/html');
      const templates = [...page.querySelectorAll('template')].map(({ content }) => content);
      const elements = [page, ...templates].flatMap((one) => [...one.querySelectorAll('*')]);
      const attributes = elements.flatMap((element) => [...element.attributes]);
      const texts = (selector: string) =>
        [...page.querySelectorAll(selector)].map(({ textContent }) => textContent ?? '');
      const rulesOf = (css: string) => {
        const sheet = new CSSStyleSheet();
        sheet.replaceSync(css);
        return [...sheet.cssRules].map(({ cssText }) => cssText);
      };
      const data = texts('script[type]:not([src])');
      const scripts = texts('script:not([type])');
      const dataTexts: unknown[] = [];
      for (const text of data) JSON.parse(text, (_, value) => void dataTexts.push(value));
      for (const script of page.querySelectorAll('script')) script.remove();
      const parsed = {
        elements: [...new Set(elements.map(({ tagName }) => tagName.toLowerCase()))],
        attributes: [...new Set(attributes.map((attribute) => attribute.name))],
        addresses: attributes
          .filter(({ name }) => /^(href|src|action|formaction)$/.test(name))
          .map(({ value }) => value),
        comments: html.startsWith('<!doctype html>') && html.endsWith('</html>'),
        variables: [...html.matchAll(/\{\{[^{}]*\}\}/g)].map(([variable]) => variable),
        styles: texts('style').length,
        rules: texts('style').flatMap(rulesOf),
        scripts,
        data: data.length,
        shown: [
          page.title,
          page.body.textContent,
          ...attributes.map(({ value }) => value),
          ...dataTexts,
        ].join('\n'),
      };
      return [name, parsed];
    }),
  );
type Parsed = ReturnType<typeof parse>[string];

/** Layout changes white space. */
const packed = (text: string) => text.replace(/\s+/gu, '');

const textAt = (config: object, path: string): unknown =>
  path
    .split('.')
    .reduce<unknown>(
      (part, key) => (key === '' ? part : (part as Record<string, unknown>)[key]),
      config,
    );
const patternOf = (path: string) => path.replace(/\.\d+(?=\.|$)/g, '.*');

/** The site with another text in each field. */
function withTexts(textOf: (index: number, path: string) => string): typeof built {
  const changed = structuredClone(built);
  for (const [index, path] of fieldsIn(built, 'text').entries()) {
    const keys = path.split('.');
    const parent = textAt(changed, keys.slice(0, -1).join('.')) as Record<string, unknown>;
    parent[keys.at(-1) ?? ''] = textOf(index, path);
  }
  return changed;
}
/** A text by which its field is found on the pages. */
const numberOf = (index: number) => `n${index}x`;

/** The fields whose text a page of the numbered site shows, as patterns such as `faq.items.*.question`. */
const fieldsOn = ({ shown }: Parsed) =>
  new Set(
    fieldsIn(built, 'text').flatMap((path, index) =>
      shown.includes(numberOf(index)) ? [patternOf(path)] : [],
    ),
  );

/** What the pages of the sample lack: lines of drawn texts, and frames of connected calendars. */
const known = ['tspan', 'transform', 'dy', 'allow', 'referrerpolicy'];

base(
  `texts of random documents are text on every page, in ${documentCount} documents`,
  async ({ page }) => {
    base.setTimeout(30 * 60_000);
    const sample = await page.evaluate(parse, await pagesOf(withTexts(numberOf)));
    const variables = Object.values(await page.evaluate(parse, await pagesOf(built))).flatMap(
      (one) => one.variables,
    );
    const inSample = (what: 'elements' | 'attributes') =>
      Object.values(sample).flatMap((one) => one[what]);
    await fc.assert(
      fc.asyncProperty(validDocuments, async (config) => {
        const pages = await page.evaluate(parse, await pagesOf(config));
        for (const [name, parsed] of Object.entries(pages)) {
          const of = sample[name];
          if (!of) throw new Error(`The sample has no page ${name}.`);
          const added = (what: 'elements' | 'attributes') =>
            parsed[what].filter((one) => !known.includes(one) && !inSample(what).includes(one));
          expect(added('elements'), name).toEqual([]);
          expect(
            added('attributes').filter((one) => !one.startsWith('data-')),
            name,
          ).toEqual([]);
          expect(parsed.addresses.filter((one) => /^\s*javascript:/i.test(one))).toEqual([]);
          expect(parsed.variables.filter((one) => !variables.includes(one))).toEqual([]);
          expect(parsed.styles, name).toBe(of.styles);
          expect(
            parsed.rules.filter((rule) => /(^|[},])\s*made/.test(rule)),
            name,
          ).toEqual([]);
          expect(parsed.scripts, name).toEqual(of.scripts);
          expect(parsed.data, name).toBe(of.data);
          expect(parsed.comments).toBe(true);
          const shown = packed(parsed.shown);
          const fields = fieldsOn(of);
          // What belongs to them is not shown either.
          const unused = [
            ...(config.links.instagram === '' ? ['footer.instagram'] : []),
            ...(config.links.linkedin === '' ? ['footer.linkedin'] : []),
            ...(config.links.instagram + config.links.linkedin === '' ? ['labels.newTab'] : []),
            ...(config.testimonials.quotes.length === 0 ? ['testimonials.title'] : []),
          ];
          const lost = fieldsIn(config, 'text').filter(
            (path) =>
              fields.has(patternOf(path)) &&
              // Shown beside what the owner has entered.
              !/^(imprintPage|privacyPage)\./.test(path) &&
              // A value stands there instead.
              !/\{\w+\}/.test(String(textAt(config, path))) &&
              !unused.includes(path) &&
              !shown.includes(packed(String(textAt(config, path)))),
          );
          expect(lost, name).toEqual([]);
        }
      }),
      {
        numRuns: documentCount,
        endOnFailure: true,
        // In a style, and in a script, one of these would end it.
        examples: ['</style><made>', '</script><made>'].map((text) => [withTexts(() => text)]),
      },
    );
  },
);

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

test(`texts of every field stay texts in the editor, its previews and the published site, in ${rounds} rounds`, async ({
  page,
  emptySite,
}) => {
  test.setTimeout(90_000 * rounds);
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

  for (let round = 0; round < rounds; round++) {
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
