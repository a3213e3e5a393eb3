/** The screen Site in Firefox and WebKit: the owner edits, crops photos, loses the network, and uses the keyboard. */
import { writeFileSync } from 'node:fs';
import type { APIRequestContext } from '@playwright/test';
import sharp from 'sharp';
import { cameraPicture, pictureOf } from '../server/testing/picture.ts';
import { config } from './config.ts';
import { editByKeyboard } from './editor-keyboard.ts';
import type { Engine } from './engines/engine.ts';
import { helpersOf, keys } from './engines/page.ts';
import { engineNames, expect, test } from './engines/test.ts';
import type { RunningSite } from './site.ts';

const headline = '[id="field-hero.title"]';
const bar = '[aria-label="State of the draft"]';
const isSaved = /saved \d+:\d\d [AP]M/;

/** Signs in and opens the editor. Returns what the scenes use. */
async function openEditor(engine: Engine, origin: string, site: RunningSite) {
  const page = helpersOf(engine);
  const open = async (search = '') => {
    await engine.open(`${origin}/analytics/site${search}`);
    await expect.poll(() => engine.evaluate(previewAddress)).toContain('/api/site/preview/');
  };
  await engine.resize(1440, 900);
  await engine.open(`${origin}/`);
  expect(await engine.evaluate(signIn, site.password)).toBe(200);
  await open();
  return {
    ...page,
    open,
    section: async (name: string) => {
      await page.click('[aria-label=Sections] button', { name });
      await expect.poll(() => engine.evaluate(focusedText)).toBe(name);
    },
    button: (name: string, within = 'body') => page.click(`${within} button`, { name }),
    expectValue: (selector: string, value: string) =>
      expect.poll(() => engine.evaluate(valueIn, selector), { message: selector }).toBe(value),
    expectFocus: (selector: string) =>
      expect.poll(() => engine.evaluate(hasFocus, selector), { message: selector }).toBe(true),
    expectInPreview: (path: string, text: string) =>
      expect.poll(() => engine.evaluate(previewText, path), { message: path }).toBe(text),
    /** Clicks the text of a field in the preview. */
    clickInPreview: async (path: string) => {
      await expect.poll(() => engine.evaluate(centreInPreview, path)).not.toBeNull();
      const [x, y] = (await engine.evaluate(centreInPreview, path)) ?? [0, 0];
      await page.clickAt(x, y);
    },
    draft: () => engine.evaluate(loadDraft) as Promise<typeof config>,
  };
}

for (const engineName of engineNames) {
  test.describe(engineName, () => {
    test.use({ engineName });

    test(`${engineName} edits, publishes and takes back the texts of the site`, async ({
      webEngine: engine,
      policyProxy: { origin },
      site,
    }) => {
      const page = await openEditor(engine, origin, site);
      const words = 'Ünraveled 🙂 שלום.';

      await test.step('a text that is clicked in the preview is edited in the form', async () => {
        await page.clickInPreview('about.text.1');
        await page.expectFocus('[id="field-about.text.1"]');
        await page.clickInPreview('hero.title');
        await page.expectFocus(headline);
      });

      await test.step('typed words show, and the rendered page follows', async () => {
        await page.replace(headline, words);
        await page.expectInPreview('hero.title', words);
        await page.expectText(bar, isSaved);
        await expect.poll(() => engine.evaluate(previewAddress)).toMatch(/r=1$/);
        await page.expectInPreview('hero.title', words);
      });

      await test.step('Undo and Redo take a change back and make it again', async () => {
        await page.button('Undo');
        await page.expectValue(headline, config.hero.title);
        await page.expectInPreview('hero.title', config.hero.title);
        await page.button('Redo');
        await page.expectValue(headline, words);
        await page.expectText(bar, isSaved);
      });

      await test.step('the saved words are there after a reload', async () => {
        await page.open();
        await page.expectValue(headline, words);
      });

      await test.step('a question is moved, deleted, restored and added', async () => {
        const [first, second] = config.faq.items.map(({ question }) => question);
        await page.section('FAQ');
        await page.button(first ?? '');
        await page.button('Move Question 1 down');
        await page.expectText('[data-entry="0"]', second ?? '');
        await page.button('Delete Question 2');
        await page.expectText('[data-entry="1"]', 'is deleted.');
        await page.button('Undo', '[data-entry="1"]');
        await page.button('Add a question');
        await page.expectFocus('[id="field-faq.items.5.question"]');
        await page.press(...'How long?');
        await page.type('[id="field-faq.items.5.answer"]', 'Four weeks.');
        await page.expectInPreview('faq.items.5.question', 'How long?');
        await page.expectText(bar, isSaved);
        const { items } = (await page.draft()).faq;
        expect(items.map(({ question }) => question)).toEqual([
          ...[second, first],
          ...config.faq.items.slice(2).map(({ question }) => question),
          'How long?',
        ]);
      });

      await test.step('a colour that is hard to read is replaced by the nearest readable shade', async () => {
        await page.section('Colours');
        const field = '[data-path="colours.lines.consulting.light"]';
        await page.replace(`${field} input:not([type=color])`, '#FF8800');
        await page.expectText(field, 'Hard to read');
        await page.button('Use #', field);
        await page.expectText(field, 'Readable: 4.5');
      });

      await test.step('hours and a holiday are typed', async () => {
        await page.section('Hours and calls');
        const tuesday = '[data-path="calls.hours.tuesday"] input[aria-label=From]';
        await page.typeParts(tuesday, '1', '30');
        await page.expectValue(tuesday, '01:30');
        expect(await engine.evaluate(outlineOf, tuesday)).toBe('3px');
        const holiday = '[data-path="calls.closed.0"] input[aria-label="Last day"]';
        await page.typeParts(holiday, '1', '3', '2027');
        await page.expectValue(holiday, '2027-01-03');
        await page.expectText(bar, isSaved);
        const { calls } = await page.draft();
        expect(calls.hours.tuesday[0]).toBe('01:30-12:30');
        expect(calls.closed[0]).toBe('2026-12-24/2027-01-03');
      });

      await test.step('visitors see what is published', async () => {
        await page.button('Publish');
        await page.button('Publish', 'dialog');
        await page.expectText(bar, /Live since \d+:\d\d [AP]M/);
        await engine.open(`${origin}/`);
        await page.expectText('h1', words);
        await page.expectText('#faq', 'Four weeks.');
      });

      await test.step('the history brings the first version back', async () => {
        await page.open();
        await page.button('History');
        await page.button('Bring it back', 'dialog');
        await page.expectValue(headline, config.hero.title);
        await page.expectInPreview('hero.title', config.hero.title);
      });

      await test.step('a draft is discarded', async () => {
        await page.button('Publish');
        await page.button('Discard all', 'dialog');
        await page.button('Discard them', 'dialog');
        await page.expectValue(headline, words);
        await page.expectText(bar, 'Nothing changed.');
      });
    });

    test(`${engineName} crops a photo upright, and uploads it without the place where it was taken`, async ({
      webEngine: engine,
      policyProxy: { origin },
      site,
      request,
    }, testInfo) => {
      const page = await openEditor(engine, origin, site);
      const field = '[data-path="about.photo"]';
      const choose = async (name: string, bytes: Buffer) => {
        const path = testInfo.outputPath(name);
        writeFileSync(path, bytes);
        await engine.setFiles(`${field} input[type=file]`, [path]);
      };
      let last = '';
      const expectUpload = async (type: string) => {
        const address = () => engine.evaluate(addressOf, `${field} img`);
        const isNew = (found: string) =>
          found !== last && found.includes('/photos/') && found.endsWith(`.${type}`);
        await expect.poll(async () => isNew(await address())).toBe(true);
        last = await address();
        return stored(request, last);
      };
      await page.open('?field=about.photo');

      await test.step('a transparent picture stays so', async () => {
        await choose('drawing.png', await pictureOf('png', 600, 700, { alpha: 0.5 }));
        const { format, width, height, isOpaque } = await expectUpload('png');
        expect([format, width, height, isOpaque]).toEqual(['png', 480, 600, false]);
      });

      await test.step('a photo that was taken sideways is cropped by keyboard', async () => {
        await choose('me.jpg', await cameraPicture());
        await expectUpload('jpg');
        await page.button('Crop', field);
        await page.expectFocus(`${field} canvas`);
        await page.press(...'+'.repeat(9), ...Array(12).fill(keys.left));
        await page.expectText(field, 'Middle 74% from left, 50% from top, zoom 190%');
        await page.button('Use this crop', field);
        const photo = await expectUpload('jpg');
        expect([photo.format, photo.width, photo.height]).toEqual(['jpeg', 960, 1200]);
        expect([photo.exif, photo.orientation]).toEqual([undefined, undefined]);
        expect(photo.blue).toBeGreaterThan(10 * photo.red);
      });

      await test.step('visitors see it in the width that their screen needs', async () => {
        await page.expectText(bar, isSaved);
        await page.button('Publish');
        await page.button('Publish', 'dialog');
        await page.expectText(bar, /Live since/);
        await engine.open(`${origin}/#about`);
        await expect.poll(() => engine.evaluate(addressOf, '#about img')).toContain('/photos/');
        const photo = await stored(request, await engine.evaluate(addressOf, '#about img'));
        expect([photo.width, photo.height]).toEqual([480, 600]);
        expect(photo.blue).toBeGreaterThan(10 * photo.red);
      });
    });

    test(`${engineName} loses no word when the network is cut, the session ends or the tab is closed`, async ({
      webEngine: engine,
      policyProxy,
      site,
    }) => {
      const page = await openEditor(engine, policyProxy.origin, site);

      await test.step('words typed without a network are saved once it is back', async () => {
        policyProxy.cut(true);
        await page.replace(headline, 'Typed in a tunnel.');
        await page.expectText(bar, 'Not saved');
        await page.press(...' And on.');
        await page.expectInPreview('hero.title', 'Typed in a tunnel. And on.');
        policyProxy.cut(false);
        await page.expectText(bar, isSaved);
        await page.expectValue(headline, 'Typed in a tunnel. And on.');
        expect((await page.draft()).hero.title).toBe('Typed in a tunnel. And on.');
      });

      await test.step('words of a closed tab are in the next one', async () => {
        policyProxy.cut(true);
        await page.replace(headline, 'Typed before the end');
        await page.expectText(bar, 'Not saved');
        // The last key, right before the tab is closed.
        await page.press('!');
        await engine.replaceTab();
        policyProxy.cut(false);
        await engine.resize(1440, 900);
        await page.open();
        await page.expectValue(headline, 'Typed before the end!');
        await page.expectText(bar, isSaved);
        expect((await page.draft()).hero.title).toBe('Typed before the end!');
      });

      await test.step('words typed after the session has ended are saved by a sign-in over the form', async () => {
        await site.ageSessions(400 * 86_400_000);
        await page.replace(headline, 'Typed while signed out.');
        await page.button('Sign in');
        await page.expectVisible('dialog[open] [type=password]', true);
        await page.type('dialog[open] [type=password]', site.password);
        await page.button('Sign in and save', 'dialog');
        await page.expectText(bar, isSaved);
        await page.expectValue(headline, 'Typed while signed out.');
        await page.expectInPreview('hero.title', 'Typed while signed out.');
      });
    });

    test(`${engineName} edits, publishes and takes back by keyboard alone`, async ({
      webEngine: engine,
      policyProxy: { origin },
      site,
      request,
    }) => {
      const page = await openEditor(engine, origin, site);
      await engine.open(`${origin}/analytics`);
      await page.expectText('h1', 'Analytics Dashboard');
      const names = { Tab: keys.tab, Enter: keys.enter, Space: ' ', Escape: keys.escape };
      await editByKeyboard({
        press: (key) =>
          key === 'Shift+Tab' ? page.chord(keys.shift, keys.tab) : page.press(names[key]),
        type: (text) => page.press(...text),
        evaluate: engine.evaluate,
        home: async () => (await request.get(site.origin)).text(),
      });
    });
  });
}

/** A stored photo, by its bytes: its size, what it says of its origin, and the mean of two of its colours. */
async function stored(request: APIRequestContext, address: string) {
  const file = await (await request.get(address)).body();
  const { format, width, height, exif, orientation } = await sharp(file).metadata();
  const { isOpaque, channels } = await sharp(file).stats();
  const [red = 0, , blue = 0] = channels.map(({ mean }) => mean);
  return { format, width, height, exif, orientation, isOpaque, red, blue };
}

// What follows runs in the page.

const signIn = async (password: string) => {
  const headers = { 'Content-Type': 'application/json' };
  const body = JSON.stringify({ password });
  return (await fetch('/api/admin/login', { method: 'POST', headers, body })).status;
};

const loadDraft = async () => (await (await fetch('/api/site/draft')).json()).document;

const valueIn = (selector: string) => document.querySelector<HTMLInputElement>(selector)?.value;

const focusedText = () => document.activeElement?.textContent;

const hasFocus = (selector: string) => document.activeElement?.matches(selector) ?? false;

const outlineOf = (selector: string) => {
  const { outlineStyle, outlineWidth } = getComputedStyle(
    document.querySelector(selector) as Element,
  );
  return outlineStyle === 'none' ? 'none' : outlineWidth;
};

/** The address that the browser has chosen for a picture that it has loaded. */
const addressOf = (selector: string) => {
  const image = document.querySelector<HTMLImageElement>(selector);
  return image?.naturalWidth ? image.currentSrc : '';
};

const previewAddress = () =>
  document.querySelector<HTMLIFrameElement>('iframe[title="Preview of your site"]')?.src ?? '';

/** The text of a field in the preview. */
const previewText = (path: string) =>
  document
    .querySelector<HTMLIFrameElement>('iframe[title="Preview of your site"]')
    ?.contentDocument?.querySelector(`[data-field="${path}"]`)?.textContent;

/** Scrolls the preview to a field; returns the centre of its text in the window, in pixels. */
const centreInPreview = (path: string): [x: number, y: number] | null => {
  const frame = document.querySelector<HTMLIFrameElement>('iframe[title="Preview of your site"]');
  const element = frame?.contentDocument?.querySelector(`[data-field="${path}"]`);
  if (!frame || !element) return null;
  element.scrollIntoView({ block: 'center', behavior: 'instant' });
  const { x, y, width, height } = element.getBoundingClientRect();
  const outer = frame.getBoundingClientRect();
  const scale = outer.width / frame.offsetWidth;
  return [
    Math.round(outer.x + (x + width / 2) * scale),
    Math.round(outer.y + (y + height / 2) * scale),
  ];
};
