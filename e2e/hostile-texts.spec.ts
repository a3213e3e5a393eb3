/** Texts of the owner's that try to leave their place: on every page they are text, and nothing else. */
import { test as base } from '@playwright/test';
import fc from 'fast-check';
import { fieldsIn } from '../server/content/document.ts';
import { createRenderer } from '../server/content/renderer.ts';
import { validDocuments } from '../server/testing/valid-documents.ts';
import { built, patternOf, textAt, withTexts } from './hostile.ts';
import { expect } from './site.ts';

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
    base.setTimeout(60 * 60_000);
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
