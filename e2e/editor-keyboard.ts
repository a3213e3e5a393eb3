/** The editor without a mouse, in any engine: from the dashboard to publishing, and back by the history. */
import { expect, test } from '@playwright/test';
import { site as config } from '../site.config.ts';

const bar = '[aria-label="State of the draft"]';
/** The title of the open panel. */
const panel = 'dialog[open] h2';

type Key = 'Tab' | 'Shift+Tab' | 'Enter' | 'Space' | 'Escape';

/** A page that is used by its keyboard. */
interface KeyboardPage {
  press(key: Key): Promise<void>;
  type(text: string): Promise<void>;
  /** Runs a function in the page, which must use nothing but its argument. */
  evaluate<Result>(run: (selector: string) => Result, selector: string): Promise<Awaited<Result>>;
  /** The HTML of the home page, as visitors get it. */
  home(): Promise<string>;
}

/** Edits, publishes and takes back, with the focus visible at each step. Starts at the dashboard. */
export async function editByKeyboard(page: KeyboardPage): Promise<void> {
  const [first, second] = config.faq.items.map(({ question }) => question);
  const focusedName = async () => (await page.evaluate(focused, '')).name;
  const expectFocus = (name: string | RegExp) =>
    expect.poll(focusedName).toEqual(typeof name === 'string' ? name : expect.stringMatching(name));
  const expectText = (selector: string, text: RegExp) =>
    expect.poll(() => page.evaluate(textOf, selector), { message: selector }).toMatch(text);
  /** Presses Tab until the name of the focused control matches; every focus on the way must be visible. */
  const tabTo = async (name: RegExp, key: Key = 'Tab') => {
    for (let presses = 0; presses < 120; presses++) {
      await page.press(key);
      const { name: found, problem } = await page.evaluate(focused, '');
      if (problem !== undefined) throw new Error(`“${found}”: ${problem}`);
      if (name.test(found)) return;
    }
    throw new Error(`Tab does not reach ${name}.`);
  };

  await tabTo(/^Site$/);
  await page.press('Enter');
  await expect.poll(() => page.evaluate(titleOf, 'iframe')).toBe('Preview of your site');

  await test.step('a list of a section', async () => {
    await tabTo(/^FAQ/);
    await page.press('Enter');
    await expectFocus('FAQ');
    await tabTo(beginsWith(first));
    await page.press('Enter');
    await expectFocus('Question 1');
    await tabTo(/^Move Question 1 down$/);
    await page.press('Enter');
    await expectFocus('Move Question 2 down');
    await tabTo(/^Delete Question 2$/);
    await page.press('Space');
    await expectFocus('Undo');
    await page.press('Enter');
    await expectFocus(beginsWith(first));
    await tabTo(/^Add a question$/);
    await page.press('Enter');
    await expectFocus(/^Question/);
    await page.type('By keyboard?');
    await tabTo(/^Answer/);
    await page.type('Yes.');
    await expectText(bar, /^1 change\s*saved/);
  });

  await test.step('Publish, and Undo', async () => {
    await tabTo(/^Publish 1/, 'Shift+Tab');
    await page.press('Enter');
    await expectText(panel, /^Publish 1 change$/);
    await tabTo(/^Keep editing$/);
    await page.press('Enter');
    await expectFocus(/^Publish 1/);
    await page.press('Enter');
    await expectText(panel, /^Publish 1 change$/);
    await tabTo(/^Publish$/);
    await page.press('Enter');
    await expectFocus(/^Live since/);
    // One more Enter, of a key pressed twice, takes nothing back.
    await page.press('Enter');
    await tabTo(/^Undo$/);
    await expectText(bar, /^Live since/);
    expect(await page.home()).toContain('By keyboard?');
    await page.press('Enter');
    await expectText(bar, /^Nothing changed/);
    expect(await page.home()).not.toContain('By keyboard?');
    await expectFocus('Site');
  });

  await test.step('the history', async () => {
    await tabTo(/^History$/);
    await page.press('Enter');
    await expectText('dialog[open] ul', /Bring it back/);
    await tabTo(/^Bring it back$/);
    await page.press('Enter');
    await expectText(panel, /^$/);
    await expectFocus('Site');
    await expectText('[data-entry="0"]', beginsWith(second));
    await tabTo(/^History$/);
    await page.press('Enter');
    await expectText(panel, /^History$/);
    await page.press('Escape');
    await expectFocus('History');
  });
}

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

/** Runs in the page: the text of the first element that matches. */
const textOf = (selector: string) => document.querySelector(selector)?.textContent?.trim() ?? '';

/** Runs in the page. */
const titleOf = (selector: string) => document.querySelector<HTMLElement>(selector)?.title;

const beginsWith = (text = '') => new RegExp(`^${text.replaceAll('?', '\\?')}`);
