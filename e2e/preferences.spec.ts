/** Browser preferences of visitors: text size, colors, motion. */
import type { Page } from '@playwright/test';
import { dialog, firstTime, narrow, openDashboard, wide } from './screens.ts';
import { expect, expectConsoleError, type RunningSite, test } from './site.ts';

type OpenScreen = (page: Page, site: RunningSite) => Promise<unknown>;

const strategyCall: OpenScreen = async (page) => {
  await page.goto('/');
  await page.getByRole('main').getByRole('button').first().click();
  // A focus that the frame gets before would be lost.
  await expect(firstTime(dialog(page, 'strategyCall').frameLocator('iframe'))).toBeVisible();
};

const screens: Record<string, OpenScreen> = {
  'the landing page': (page) => page.goto('/'),
  'the not-found page': (page) => page.goto('/no/such/page'),
  'the login': async (page) => {
    await page.goto('/admin');
    // Its code is loaded on demand.
    await expect(page.getByRole('heading', { level: 1 })).toBeVisible();
  },
  'the dashboard': async (page, site) => {
    await openDashboard(page, site);
    await expect(page.getByRole('link', { name: /steps to go live/ })).toBeVisible();
  },
  'the contact dialog': async (page) => {
    await page.goto('/');
    await page.getByRole('contentinfo').getByRole('button').last().click();
    await expect(dialog(page, 'contact')).toBeVisible();
  },
  'the booking dialog': strategyCall,
};

/** Horizontal overflow of the page or of an open dialog, in px. */
const overflow = (page: Page) =>
  page.evaluate(() => {
    const dialog = document.querySelector('dialog[open]');
    const dialogWidth = dialog?.scrollWidth ?? 0;
    return Math.max(
      document.documentElement.scrollWidth - document.documentElement.clientWidth,
      dialog ? dialogWidth - dialog.clientWidth : 0,
    );
  });

/** Texts that their elements clip. */
const clippedTexts = (page: Page) =>
  page.evaluate(() =>
    [...document.querySelectorAll<HTMLElement>('body *')]
      .filter((el) => el.checkVisibility() && el.childElementCount === 0 && el.textContent)
      .filter((el) => {
        const { overflowX, overflowY } = getComputedStyle(el);
        const clips = [overflowX, overflowY].some((o) => o === 'hidden' || o === 'clip');
        const isForScreenReaders = el.clientWidth <= 1;
        return clips && !isForScreenReaders && el.scrollWidth > el.clientWidth + 1;
      })
      .map((el) => el.textContent),
  );

/** Targets smaller than 24 px and buttons lower than 44 px, with their sizes. */
const smallTargets = (page: Page) =>
  page.evaluate(() =>
    [...document.querySelectorAll<HTMLElement>('a[href], button, input, summary, select')]
      .filter((el) => el.checkVisibility({ visibilityProperty: true }))
      .map((el) => ({ el, box: el.getBoundingClientRect() }))
      .filter(({ box }) => box.width > 1 && box.height > 1)
      // Links inside a sentence are exempt.
      .filter(
        ({ el }) =>
          !(el.matches('a') && el.closest('p') && el.parentElement?.textContent !== el.textContent),
      )
      .filter(
        ({ el, box }) =>
          box.width < 24 ||
          box.height < (el.matches('button:not([aria-label^="About "])') ? 44 : 24),
      )
      .map(
        ({ el, box }) =>
          `${el.textContent || el.getAttribute('aria-label')} ${box.width}×${box.height}`,
      ),
  );

/** Controls without a border, an underline or an icon. */
const unmarkedControls = (page: Page) =>
  page.evaluate(() =>
    [...document.querySelectorAll<HTMLElement>('button, input, textarea')]
      .filter((el) => el.checkVisibility({ visibilityProperty: true }))
      // The honeypot is off screen.
      .filter((el) => !el.matches('[aria-hidden=true]'))
      .filter((el) => {
        const style = getComputedStyle(el);
        const hasEdge = style.borderTopStyle !== 'none' && style.borderTopWidth !== '0px';
        const isText = style.textDecorationLine.includes('underline');
        const isIcon = el.querySelector('svg') !== null;
        // Buttons in lists of links look like links; a radio is drawn by its label.
        const isListed = el.closest('nav, footer') !== null || el.matches('[type=radio]');
        return !hasEdge && !isText && !isIcon && !isListed;
      })
      .map((el) => el.textContent || el.outerHTML),
  );

/** Names of animations that move something for longer than 1 ms; `guard` only waits. */
const runningAnimations = (page: Page) =>
  page.evaluate(() =>
    document
      .getAnimations()
      .filter(({ effect }) => Number(effect?.getComputedTiming().endTime ?? 0) > 1)
      .map((animation) => (animation as CSSAnimation).animationName)
      .filter((name) => name !== 'guard'),
  );

for (const [name, open] of Object.entries(screens)) {
  test(`${name} adapts to small windows, large text, wide spacing, forced colors and reduced motion`, async ({
    page,
    site,
    consoleErrors,
  }) => {
    await page.setViewportSize(narrow);
    await open(page, site);

    await test.step('with reduced motion no animation runs', async () => {
      expect(await runningAnimations(page)).toEqual([]);
    });

    await test.step('every target is at least 24 px, and buttons on phones 44 px', async () => {
      expect(await smallTargets(page)).toEqual([]);
    });

    await test.step('at 320 px nothing overflows', async () => {
      await page.setViewportSize({ width: 320, height: 640 });
      await expect.poll(() => overflow(page)).toBeLessThanOrEqual(0);
    });

    for (const viewport of [narrow, wide]) {
      await test.step(`at ${viewport.width} px and 200% text size nothing overflows`, async () => {
        await page.setViewportSize(viewport);
        await page.evaluate(() => {
          document.documentElement.style.fontSize = '200%';
        });
        await expect.poll(() => overflow(page)).toBeLessThanOrEqual(0);
        await page.evaluate(() => {
          document.documentElement.style.fontSize = '';
        });
      });
    }

    await test.step('in forced colors the controls have a border and the focus has a ring', async () => {
      await page.emulateMedia({ forcedColors: 'active' });
      expect(await unmarkedControls(page)).toEqual([]);
      await page.keyboard.press('Tab');
      const ring = () =>
        page.evaluate(() => {
          const { activeElement } = document;
          // The booking page is in a frame of its dialog.
          const framed =
            activeElement instanceof HTMLIFrameElement &&
            activeElement.contentDocument?.activeElement;
          const { outlineStyle, outlineWidth } = getComputedStyle(
            (framed || activeElement) as Element,
          );
          return outlineStyle === 'none' ? 0 : Number.parseFloat(outlineWidth);
        });
      await expect.poll(ring).toBeGreaterThanOrEqual(2);
      await page.emulateMedia({ forcedColors: 'none' });
    });

    await test.step('with wide text spacing no text is clipped', async () => {
      await page.setViewportSize(narrow);
      // The values of WCAG 1.4.12, in a constructed style sheet: the content security policy blocks a
      // style element.
      await page.evaluate(() => {
        const sheet = new CSSStyleSheet();
        sheet.replaceSync(
          '*{line-height:1.5!important;letter-spacing:.12em!important;word-spacing:.16em!important}p{margin-bottom:2em!important}',
        );
        document.adoptedStyleSheets.push(sheet);
      });
      await expect.poll(() => clippedTexts(page)).toEqual([]);
      await expect.poll(() => overflow(page)).toBeLessThanOrEqual(0);
    });

    if (name === 'the not-found page') await expectConsoleError(consoleErrors, /status of 404/);
  });
}

test('in dark forced colors the hero’s strands are visible', async ({ page }) => {
  await page.emulateMedia({ forcedColors: 'active', colorScheme: 'dark' });
  await page.goto('/');
  const { strands, background } = await page.evaluate(() => ({
    strands: [...document.querySelectorAll('main svg [data-line]')].map(
      (path) => getComputedStyle(path).stroke,
    ),
    background: getComputedStyle(document.body).backgroundColor,
  }));
  expect(strands.length).toBeGreaterThan(4);
  expect(strands).not.toContain(background);
  expect(strands).not.toContain('none');
});

test('the skip link moves the focus into the main content', async ({ page }) => {
  await page.goto('/');
  await page.keyboard.press('Tab');
  const skip = page.getByRole('link', { name: /skip/i });
  await expect(skip).toBeFocused();
  await expect(skip).toBeInViewport();
  await page.keyboard.press('Enter');
  await page.keyboard.press('Tab');
  expect(await page.evaluate(() => document.activeElement?.closest('main') !== null)).toBe(true);
});
