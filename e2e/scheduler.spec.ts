/** The site's own scheduler: from a call-to-action to a booked, moved and cancelled call. */
import type { FrameLocator, Page } from '@playwright/test';
import { expectAccessibleOnAllScreens } from './axe.ts';
import { config } from './config.ts';
import { expectNoHorizontalScroll, openBooted } from './landing.ts';
import { banner, dialog, firstTime, narrow, openDashboard, wide } from './screens.ts';
import { expect, expectConsoleError, type RunningSite, testOnEmptySite as test } from './site.ts';

const copy = config.bookingPages;
const path = '/book/strategy-call';

test.use({ viewport: wide, reducedMotion: 'reduce', timezoneId: 'America/New_York' });

type View = Page | FrameLocator;

/** A time on the second day that has some: the first day's may become too near during a test. */
async function chooseTime(view: View, day = 1): Promise<string> {
  const details = view.locator('details[name=day]').nth(day);
  if ((await details.getAttribute('open')) === null) await details.locator('summary').click();
  const time = details.getByRole('radio').first();
  // The label covers the radio button.
  await details.locator('label').first().click();
  await expect(time).toBeChecked();
  return (await time.getAttribute('value')) ?? '';
}

async function fillIn(view: View, email = 'tom@brightcourse.example'): Promise<void> {
  await view.getByLabel(config.contactPages.name).fill('Tom Okafor');
  await view.getByLabel(config.contactPages.email).fill(email);
}

const bookButton = (view: View) => view.getByRole('button', { name: copy.book });

/** Opens the booking page of a visitor in New York. */
async function openPage(page: Page): Promise<void> {
  await page.goto(path);
  // The page is loaded again in the visitor's zone.
  await expect(page.getByText('New York (GMT')).toBeVisible();
}

/** Books a call on its own page and returns the address of the booking. */
async function bookOn(page: Page, day?: number): Promise<string> {
  await openPage(page);
  await chooseTime(page, day);
  await fillIn(page);
  await bookButton(page).click();
  await expect(page.getByRole('heading', { level: 1, name: copy.booked })).toBeVisible();
  return page.url();
}

const stored = async (site: RunningSite) =>
  (await site.rows('booking')).map(({ state, starts_at, sequence }) => ({
    state,
    start: new Date(Number(starts_at)).toISOString(),
    sequence,
  }));

test('three presses lead from a call-to-action to a booked call, which the owner sees counted', async ({
  page,
  emptySite,
}) => {
  await openBooted(page, '/?utm_source=newsletter');
  await page.getByRole('main').getByRole('button').first().click();
  const frame = dialog(page, 'strategyCall').frameLocator('iframe');
  await expect(frame.getByText('New York (GMT')).toBeVisible();
  const start = await chooseTime(frame);
  await fillIn(frame);
  await bookButton(frame).click();
  await expect(frame.getByRole('heading', { name: copy.booked })).toBeVisible();
  expect(await stored(emptySite)).toEqual([{ state: 'booked', start, sequence: 0 }]);
  expect(await emptySite.rows('booking')).toMatchObject([
    { source: 'newsletter', button: 'hero', time_zone: 'America/New_York' },
  ]);

  await test.step('Escape in the frame closes the dialog', async () => {
    await frame.getByRole('link', { name: copy.move }).press('Escape');
    await expect(dialog(page, 'strategyCall')).toBeHidden();
  });

  await openDashboard(page, emptySite);
  const calls = page.getByRole('region', { name: 'Calls' });
  await expect(calls.getByRole('listitem').nth(2)).toHaveText(/^1Booked/);
  await expect(calls.getByRole('link', { name: 'Tom Okafor' })).toBeVisible();

  await test.step('the owner sees and annotates the call under Bookings', async () => {
    await page.getByRole('link', { name: 'All bookings' }).click();
    await expect(page).toHaveURL('/analytics/bookings');
    await expect(page).toHaveTitle('Bookings');
    await expect(page.getByText('newsletter, button Top of the page')).toBeVisible();
    await page.getByLabel('Private note').fill('Asked about Kajabi');
    await page.getByRole('button', { name: 'Save note' }).click();
    await expect(page.getByText('The note about Tom Okafor was saved.')).toBeVisible();
    await expectAccessibleOnAllScreens(page, 'the Bookings screen, a call open');
  });

  await test.step('a phone shows either the list or a call', async () => {
    await page.setViewportSize({ width: 320, height: 640 });
    await expectNoHorizontalScroll(page);
    const call = page.getByRole('heading', { name: 'Tom Okafor' });
    await expect(call).toBeHidden();
    await page.getByRole('link', { name: /Tom Okafor/ }).click();
    await expect(call).toBeFocused();
    await expectNoHorizontalScroll(page);
    await page.getByRole('link', { name: 'All calls' }).click();
    await expect(page.getByRole('link', { name: /Tom Okafor/ })).toBeFocused();
    await expect(call).toBeHidden();
    await page.setViewportSize(wide);
  });

  await test.step('the owner cancels the call', async () => {
    await page.getByRole('button', { name: 'Cancel call' }).click();
    await page.getByRole('button', { name: 'Cancel the call' }).click();
    await expect(page.getByText('The call with Tom Okafor was cancelled.')).toBeVisible();
    expect(await stored(emptySite)).toMatchObject([{ state: 'cancelled', sequence: 1 }]);
  });

  await test.step('the owner blocks a time, which visitors can no longer book', async () => {
    const date = start.slice(0, 10);
    await page.getByRole('button', { name: 'Block a time' }).click();
    await page.getByLabel('Date').fill(date);
    await page.getByLabel('From').fill('00:00');
    await page.getByLabel('To', { exact: true }).fill('23:30');
    await page.getByRole('button', { name: 'Block this time' }).click();
    await expect(page.getByRole('button', { name: 'Unblock' })).toBeVisible();
    const { days } = await (
      await page.request.get('/api/booking/slots?call=strategy-call&timeZone=Europe/London')
    ).json();
    expect(days.map((day: { date: string }) => day.date)).not.toContain(date);
  });
});

test('a booked call is moved, answered and cancelled on its page', async ({ page, emptySite }) => {
  const address = await bookOn(page);
  const [first] = await stored(emptySite);

  await test.step('the page has the times of both clocks, and the call for calendars', async () => {
    await expect(page.getByText(/New York \(GMT/)).toBeVisible();
    await expect(page.getByText(copy.ownTime)).toBeVisible();
    const google = page.getByRole('link', { name: 'Google' });
    await expect(google).toHaveAttribute('href', /^https:\/\/calendar\.google\.com\/calendar\//);
    const file = await page.request.get(`${address}.ics`);
    expect(await file.text()).toContain('BEGIN:VEVENT');
  });

  await test.step('answers are saved', async () => {
    const [question = ''] = config.calls.strategyCall.questions;
    await page.getByLabel(question).fill('Courses for dentists');
    await page.getByRole('button', { name: copy.save }).click();
    await expect(page.getByRole('status')).toHaveText(copy.saved);
    await expect(page.getByLabel(question)).toHaveValue('Courses for dentists');
  });

  await test.step('the call is moved', async () => {
    await page.getByRole('link', { name: copy.move }).click();
    const start = await chooseTime(page, 2);
    await page.getByRole('button', { name: copy.moveTo }).click();
    await expect(page.getByRole('heading', { level: 1, name: copy.booked })).toBeVisible();
    expect(await stored(emptySite)).toEqual([{ state: 'booked', start, sequence: 1 }]);
    expect(start).not.toBe(first?.start);
  });

  await test.step('the call is cancelled with two presses', async () => {
    await page.getByText(copy.cancel).first().click();
    await page.getByRole('button', { name: copy.cancel }).click();
    await expect(page.getByRole('heading', { level: 1, name: copy.cancelled })).toBeVisible();
    expect(await stored(emptySite)).toMatchObject([{ state: 'cancelled', sequence: 2 }]);
    await page.getByRole('link', { name: copy.again }).click();
    await expect(page).toHaveURL(new RegExp(path));
  });
});

test('a time that was taken meanwhile keeps everything typed and offers the nearest ones', async ({
  page,
  emptySite,
  consoleErrors,
}) => {
  await openPage(page);
  const start = await chooseTime(page);
  await fillIn(page);
  const other = await page.request.post('/api/bookings', {
    data: { call: 'strategy-call', start, name: 'Ada', email: 'ada@example.com' },
  });
  expect(other.status()).toBe(200);
  await bookButton(page).click();
  await expect(page.getByRole('alert')).toBeFocused();
  await expect(page.getByLabel(config.contactPages.name)).toHaveValue('Tom Okafor');
  await expect(page.getByText(copy.nearest)).toBeVisible();
  await expectAccessibleOnAllScreens(page, 'the booking page after a conflict');
  await page.locator('[open] label').first().click();
  await bookButton(page).click();
  await expect(page.getByRole('heading', { level: 1, name: copy.booked })).toBeVisible();
  expect(await stored(emptySite)).toHaveLength(2);
  await expectConsoleError(consoleErrors, /status of 409/);
});

/** The texts of those elements that are wider than their box. */
const overflowing = (elements: Element[]) =>
  elements.filter((one) => one.scrollWidth > one.clientWidth).map((one) => one.textContent);

// The page on which a time is chosen: in the test of a time that was taken.
test('the booking pages have no axe violations and fit narrow screens', async ({ page }) => {
  const address = await bookOn(page);
  await expectAccessibleOnAllScreens(page, 'the page of a booking');
  await page.goto(`${path}?change&timeZone=Europe/Berlin`);
  await expectAccessibleOnAllScreens(page, 'the choice of a time zone');
  await page.setViewportSize({ width: 320, height: 640 });
  for (const one of [path, `${path}?change`, address, `${address}?move`]) {
    await page.goto(one);
    await expectNoHorizontalScroll(page);
  }
  await expectAccessibleOnAllScreens(page, 'the page on which a call is moved');
  // In a dialog, the frame is narrower than the window.
  await page.setViewportSize({ width: 280, height: 640 });
  await page.goto(path);
  expect(await page.locator('[open] label').evaluateAll(overflowing)).toEqual([]);
});

test('the keyboard alone books and cancels a call', async ({ page, emptySite }) => {
  await openBooted(page);
  await banner(page).getByRole('button', { name: config.header.start }).focus();
  await page.keyboard.press('Enter');
  const frame = dialog(page, 'strategyCall').frameLocator('iframe');
  await expect(firstTime(frame)).toBeVisible();
  const focusIs = (selector: string) => frame.locator(`${selector}:focus`).count();
  const tabTo = async (selector: string) => {
    for (let presses = 0; presses < 40; presses++) {
      if ((await focusIs(selector)) > 0) return;
      await page.keyboard.press('Tab');
    }
    throw new Error(`Tab does not reach ${selector}.`);
  };
  await tabTo('summary');
  await page.keyboard.press('Tab');
  await page.keyboard.press('Space');
  await page.keyboard.press('ArrowRight');
  await expect(frame.locator('[name=start]:checked')).toBeFocused();
  await tabTo('[name=name]');
  await page.keyboard.type('Tom Okafor');
  await tabTo('[name=email]');
  await page.keyboard.type('tom@brightcourse.example');
  await page.keyboard.press('Enter');
  await expect(frame.getByRole('heading', { name: copy.booked })).toBeVisible();
  await tabTo('summary');
  await page.keyboard.press('Enter');
  await page.keyboard.press('Tab');
  await page.keyboard.press('Enter');
  await expect(frame.getByRole('heading', { name: copy.cancelled })).toBeVisible();
  expect(await stored(emptySite)).toMatchObject([{ state: 'cancelled' }]);
});

test('a booking sets no cookie, stores nothing and requests nothing elsewhere', async ({
  page,
  context,
  emptySite,
}) => {
  const elsewhere: string[] = [];
  page.on('request', (request) => {
    if (!request.url().startsWith(emptySite.origin)) elsewhere.push(request.url());
  });
  await bookOn(page);
  expect(elsewhere).toEqual([]);
  expect(await context.cookies()).toEqual([]);
  const kept = () => [localStorage.length, Object.keys(sessionStorage)];
  expect(await page.evaluate(kept)).toEqual([0, ['quiz-shown']]);
});

test.describe('without JavaScript', () => {
  test.use({ javaScriptEnabled: false, viewport: narrow });

  test('links and forms lead from the landing page to a booked, moved and cancelled call', async ({
    page,
    emptySite,
  }) => {
    await page.goto('/');
    await page.getByRole('main').getByRole('link', { name: config.hero.action }).click();
    await expect(page).toHaveURL(path);
    // The zone of the owner, until the visitor changes it.
    await page.getByRole('link', { name: copy.changeZone }).click();
    await page.getByLabel(copy.pickZone).selectOption('Asia/Tokyo');
    await page.getByRole('button', { name: copy.showTimes }).click();
    await expect(page.getByText('Tokyo (GMT+9)')).toBeVisible();
    await chooseTime(page);
    await fillIn(page);
    await bookButton(page).click();
    await expect(page.getByText(/Tokyo \(GMT\+9\)/)).toBeVisible();
    await page.getByRole('link', { name: copy.move }).click();
    const start = await chooseTime(page, 2);
    await page.getByRole('button', { name: copy.moveTo }).click();
    expect(await stored(emptySite)).toEqual([{ state: 'booked', start, sequence: 1 }]);
    await page.getByText(copy.cancel).first().click();
    await page.getByRole('button', { name: copy.cancel }).click();
    await expect(page.getByRole('heading', { level: 1, name: copy.cancelled })).toBeVisible();
  });
});
