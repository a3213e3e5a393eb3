/** A tour of the product in the other two browser engines: Firefox and WebKit, as Debian ships them. */
import { config } from './config.ts';
import { messageOf, successText } from './contact.ts';
import type { Engine } from './engines/engine.ts';
import { helpersOf, keys, visible } from './engines/page.ts';
import { engineNames, expect, test } from './engines/test.ts';
import { sendPageView } from './page-views.ts';
import type { RunningSite } from './site.ts';

for (const engineName of engineNames) {
  test.describe(engineName, () => {
    test.use({ engineName });

    test(`${engineName} shows and operates every screen without a console error`, async ({
      webEngine: engine,
      site,
      policyProxy,
      request,
    }) => {
      // Without a visit the dashboard shows first steps instead of a chart.
      await sendPageView(request, site);
      await tour(engine, policyProxy.origin, site);
    });

    test(`${engineName} reports console errors and violations of the content policy`, async ({
      webEngine: engine,
      policyProxy,
    }) => {
      await engine.open(`${policyProxy.origin}/`);
      await engine.evaluate(complain);
      await expect.poll(engine.consoleErrors).toContainEqual(expect.stringContaining('planted'));
      await expect.poll(() => policyProxy.violations).not.toEqual([]);
      (await engine.consoleErrors()).length = 0;
      policyProxy.violations.length = 0;
    });
  });
}

async function tour(engine: Engine, origin: string, site: RunningSite): Promise<void> {
  const page = helpersOf(engine);

  for (const width of [360, 1280]) {
    await test.step(`the landing page fits a window resized to ${width} px`, async () => {
      await engine.resize(width, 800);
      await engine.open(`${origin}/`);
      await page.expectText('h1', config.hero.title);
      // The quiz would open when a step scrolls down.
      await engine.evaluate(() => sessionStorage.setItem('quiz-shown', '1'));
      expect(await engine.evaluate(overflow)).toBe(0);
    });
  }

  for (const id of ['strategy-call', 'contact']) {
    await test.step(`the dialog ${id} opens, and closes by its button and by Escape`, async () => {
      const dialog = `dialog#${id}`;
      await page.click(`header [commandfor=${id}], main [commandfor=${id}]`);
      await page.expectVisible(dialog, true);
      await page.click(`${dialog} [data-close]`);
      await page.expectVisible(dialog, false);
      await page.click(`header [commandfor=${id}], main [commandfor=${id}]`);
      await page.expectVisible(dialog, true);
      await page.press(keys.escape);
      await page.expectVisible(dialog, false);
    });

    await test.step(`a double click leaves the dialog ${id} open, and a click outside closes it`, async () => {
      const dialog = `dialog#${id}`;
      const opener = `header [commandfor=${id}], main [commandfor=${id}]`;
      await page.click(opener, { times: 2 });
      expect(await engine.evaluate(visible, dialog)).toBe(true);
      // A click of the first half second does nothing.
      await expect(async () => {
        await page.clickAt(5, 300);
        expect(await engine.evaluate(visible, dialog)).toBe(false);
      }).toPass();
    });
  }

  await test.step('the frame of the strategy call has its size', async () => {
    await page.click('header [commandfor=strategy-call], main [commandfor=strategy-call]');
    await expect.poll(() => engine.evaluate(sizeOf, 'dialog iframe')).toEqual([750, 560]);
    await page.press(keys.escape);
    await page.expectVisible('dialog#strategy-call', false);
  });

  await test.step('a question opens', async () => {
    await page.click('#faq details:nth-of-type(2) summary');
    await page.expectVisible('#faq details:nth-of-type(2) p', true);
  });

  await test.step('the menu of services opens and leads to a service below the header', async () => {
    await page.click('[popovertarget=services-menu]');
    await page.expectVisible('#services-menu', true);
    await page.expectBelowHeader('#services-menu');
    await page.click('#services-menu a[href="/#consulting"]');
    await page.expectVisible('#services-menu', false);
    await page.expectBelowHeader('#consulting');
  });

  await test.step('a link to a section opens the page at it', async () => {
    await engine.open(`${origin}/#about`);
    await page.expectBelowHeader('#about');
  });

  await test.step('Tab in the header does not scroll the page', async () => {
    await engine.evaluate(() => {
      scrollTo({ top: 3000, behavior: 'instant' });
      document.querySelector<HTMLElement>('header a')?.focus();
    });
    await page.press(keys.tab);
    await page.press(keys.tab);
    expect(await engine.evaluate(() => scrollY)).toBe(3000);
  });

  await test.step('the menu of phones opens and closes', async () => {
    await engine.resize(480, 800);
    await page.click('[popovertarget=mobile-menu]');
    await page.expectVisible('#mobile-menu', true);
    await page.expectBelowHeader('#mobile-menu');
    await page.press(keys.escape);
    await page.expectVisible('#mobile-menu', false);
  });

  const message = messageOf(`${await engine.evaluate(() => navigator.userAgent)}`.slice(-40));
  await test.step('a message is sent and stored once', async () => {
    await engine.resize(1280, 800);
    await engine.open(`${origin}/`);
    await page.click('header [commandfor=contact]');
    await page.expectVisible('dialog#contact', true);
    for (const [field, value] of Object.entries(message)) {
      await page.type(`dialog#contact [name=${field}]`, value.replaceAll('\n', ' '));
    }
    await page.click('dialog#contact [type=submit]');
    await page.expectText('[role=alert]', successText);
    const stored = await site.rows('contact_message');
    expect(stored.map(({ name }) => name)).toEqual([message.name]);
  });

  await test.step('a call is booked', async () => {
    await engine.open(`${origin}/book/strategy-call`);
    // The page is loaded again in the visitor's zone.
    await expect.poll(() => engine.evaluate(() => location.search)).toContain('timeZone=');
    const day = 'details[name=day]:nth-of-type(2)';
    await page.click(`${day} summary`);
    await page.click(`${day} label`);
    await page.type('[name=name]', message.name);
    await page.type('[name=email]', message.email);
    await page.click('form:has([name=email]) button');
    await page.expectText('h1', config.bookingPages.booked);
    const stored = await site.rows('booking');
    expect(stored.map(({ name }) => name)).toEqual([message.name]);
  });

  await test.step('a wrong password shows its error', async () => {
    await engine.open(`${origin}/admin`);
    await page.expectVisible('[name=password]', true);
    await page.type('[name=password]', 'wrong');
    await page.click('[type=submit]');
    await page.expectText('[role=alert]', 'Invalid password');
  });

  await test.step('the right password leads to the figures and their chart', async () => {
    await engine.open(`${origin}/admin`);
    await page.expectVisible('[name=password]', true);
    await page.type('[name=password]', site.password);
    await page.click('[type=submit]');
    await page.expectText('h1', 'Analytics Dashboard');
    await page.expectText('[data-figures]', 'Page Views');
    await expect.poll(() => engine.evaluate(drawnCharts)).toBe(1);
  });

  await test.step('a press on the figures of a source filters by it', async () => {
    await page.expectText('tbody', 'Direct');
    await page.click('tbody tr:has([aria-pressed]) td:last-child');
    await page.expectText('header', 'Source: Direct');
  });

  await test.step('the inbox shows the message', async () => {
    await page.click('header a[href="/analytics/messages"]');
    await page.expectText('h1', 'Messages');
    await page.expectText('main', message.name);
  });

  await test.step('the Bookings screen shows the call', async () => {
    await page.click('header a[href="/analytics"]');
    // The number of unread messages, which arrives with the figures, moves the links.
    await page.expectText('main', 'Last updated');
    await page.click('header a[href="/analytics/bookings"]');
    await page.expectText('h1', 'Bookings');
    await page.expectText('main section h2', message.name);
  });

  await test.step('Back after Logout leads to the login screen, not to a message', async () => {
    await engine.open(`${origin}/analytics/messages`);
    await page.expectText('main', message.name);
    const entry = await engine.evaluate(() => history.length);
    await engine.open(`${origin}/analytics`);
    await page.expectText('h1', 'Analytics Dashboard');
    await page.click('header > :first-child button');
    await page.expectText('h1', 'Admin Access');
    await engine.evaluate((entry) => {
      document.documentElement.id = 'after-logout';
      setTimeout(() => history.go(entry - history.length));
    }, entry);
    await page.expectVisible('html:not(#after-logout) [name=password]', true);
    // WebKit's errors are recorded on pages opened by address only.
    await engine.open(`${origin}/admin`);
  });
}

/** Prints an error and violates the content policy. */
const complain = () => {
  console.error('planted');
  new Image().src = 'https://elsewhere.example/picture.png';
};

/** The width and height of the first element that matches, in pixels. */
const sizeOf = (selector: string) => {
  const { width, height } = document.querySelector(selector)?.getBoundingClientRect() ?? {};
  return [width, height];
};

/** By how many pixels the page is wider than its window. */
const overflow = () => document.documentElement.scrollWidth - document.documentElement.clientWidth;

/** The number of charts of the dashboard that draw a line. */
const drawnCharts = () =>
  [...document.querySelectorAll('[data-figures] figure svg')].filter((chart) =>
    [...chart.querySelectorAll('path')].some((line) => line.getBoundingClientRect().width > 0),
  ).length;
