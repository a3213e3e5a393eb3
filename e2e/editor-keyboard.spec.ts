/** The editor without a mouse: from the header to publishing, and back by the history. */
import type { Page } from '@playwright/test';
import { site as config } from '../site.config.ts';
import { openDashboard } from './screens.ts';
import { expect, testOnEmptySite as test } from './site.ts';

test.use({ viewport: { width: 1440, height: 900 } });

/** Runs in the page: the name of the focused element; what is wrong with its focus, if anything. */
const focused = () => {
  const element = document.activeElement as HTMLElement | null;
  if (!element || element === document.body) return { name: '', problem: 'focus is on <body>' };
  const labels = (element as HTMLInputElement).labels;
  const name =
    element.getAttribute('aria-label') ?? labels?.[0]?.textContent ?? element.textContent;
  const isIn = (selector: string) => element.closest(selector) !== null;
  const { outlineStyle, outlineWidth, boxShadow, borderColor } = getComputedStyle(element);
  const isDrawn = (outlineStyle !== 'none' && outlineWidth !== '0px') || boxShadow !== 'none';
  const { width, height } = element.getBoundingClientRect();
  return {
    name: (name ?? '').trim(),
    problem:
      element.tagName === 'IFRAME'
        ? 'focus is in the preview'
        : width * height === 0
          ? 'the element is not visible'
          : isDrawn || isIn('h1, h2')
            ? undefined
            : `no outline: ${outlineStyle} ${outlineWidth} ${borderColor}`,
  };
};

/** Presses Tab until the name of the focused control matches; every focus on the way must be visible. */
async function tabTo(page: Page, name: RegExp, key = 'Tab'): Promise<void> {
  for (let presses = 0; presses < 120; presses++) {
    await page.keyboard.press(key);
    const { name: found, problem } = await page.evaluate(focused);
    if (problem !== undefined) throw new Error(`“${found}”: ${problem}`);
    if (name.test(found)) return;
  }
  throw new Error(`Tab does not reach ${name}.`);
}

const focusedName = async (page: Page) => (await page.evaluate(focused)).name;
const bar = (page: Page) => page.getByRole('group', { name: 'State of the draft' });

const modes = process.env.TEST_LONG ? (['none', 'active'] as const) : (['none'] as const);

for (const forcedColors of modes) {
  test.describe(`with forced colours ${forcedColors}`, () => {
    test.use({ contextOptions: { forcedColors, reducedMotion: 'reduce' } });

    test(`the owner edits, publishes and takes back without a mouse, with forced colours ${forcedColors}`, async ({
      page,
      emptySite,
    }) => {
      const [first, second] = config.faq.items.map(({ question }) => question);
      await openDashboard(page, emptySite);
      await tabTo(page, /^Site$/);
      await page.keyboard.press('Enter');
      await expect(page.getByTitle('Preview of your site')).toBeVisible();

      await test.step('a list of a section', async () => {
        await tabTo(page, /^FAQ/);
        await page.keyboard.press('Enter');
        await expect.poll(() => focusedName(page)).toBe('FAQ');
        await tabTo(page, new RegExp(`^${first?.replaceAll('?', '\\?')}`));
        await page.keyboard.press('Enter');
        await expect.poll(() => focusedName(page)).toBe('Question 1');
        await tabTo(page, /^Move Question 1 down$/);
        await page.keyboard.press('Enter');
        await expect.poll(() => focusedName(page)).toBe('Move Question 2 down');
        await tabTo(page, /^Delete Question 2$/);
        await page.keyboard.press('Space');
        await expect.poll(() => focusedName(page)).toBe('Undo');
        await page.keyboard.press('Enter');
        await expect.poll(() => focusedName(page)).toContain(first ?? '');
        await tabTo(page, /^Add a question$/);
        await page.keyboard.press('Enter');
        await expect.poll(() => focusedName(page)).toMatch(/^Question/);
        await page.keyboard.type('By keyboard?');
        await tabTo(page, /^Answer/);
        await page.keyboard.type('Yes.');
        await expect(bar(page)).toHaveText(/^1 change\s*saved/);
      });

      await test.step('Publish, and Undo', async () => {
        await tabTo(page, /^Publish 1/, 'Shift+Tab');
        await page.keyboard.press('Enter');
        await expect(page.getByRole('dialog', { name: 'Publish 1 change' })).toBeVisible();
        await tabTo(page, /^Keep editing$/);
        await page.keyboard.press('Enter');
        await expect.poll(() => focusedName(page)).toMatch(/^Publish 1/);
        await page.keyboard.press('Enter');
        await expect(page.getByRole('dialog', { name: 'Publish 1 change' })).toBeVisible();
        await tabTo(page, /^Publish$/);
        await page.keyboard.press('Enter');
        await expect.poll(() => focusedName(page)).toMatch(/^Live since/);
        // One more Enter, of a key pressed twice, takes nothing back.
        await page.keyboard.press('Enter');
        await tabTo(page, /^Undo$/);
        await expect(bar(page)).toHaveText(/^Live since/);
        expect(await (await page.request.get('/')).text()).toContain('By keyboard?');
        await page.keyboard.press('Enter');
        await expect(bar(page)).toHaveText(/^Nothing changed/);
        expect(await (await page.request.get('/')).text()).not.toContain('By keyboard?');
        await expect.poll(() => focusedName(page)).toBe('Site');
      });

      await test.step('the history', async () => {
        await tabTo(page, /^History$/);
        await page.keyboard.press('Enter');
        // Until the list is there, Tab leaves the dialog.
        await expect(page.getByRole('button', { name: 'Bring it back' }).first()).toBeVisible();
        await tabTo(page, /^Bring it back$/);
        await page.keyboard.press('Enter');
        await expect(page.getByRole('dialog', { name: 'History' })).toBeHidden();
        await expect.poll(() => focusedName(page)).toBe('Site');
        await expect(page.getByRole('button', { name: second ?? '' })).toBeVisible();
        await tabTo(page, /^History$/);
        await page.keyboard.press('Enter');
        await expect(page.getByRole('dialog', { name: 'History' })).toBeVisible();
        await page.keyboard.press('Escape');
        await expect.poll(() => focusedName(page)).toBe('History');
      });
    });
  });
}
