/** The owner changes the hours for calls under Settings, and visitors are offered them at once. */
import type { Locator, Page } from '@playwright/test';
import { expectAccessible, expectAccessibleOnAllScreens } from './axe.ts';
import { narrow, signIn, wide } from './screens.ts';
import { expect, expectConsoleError, testOnEmptySite as test } from './site.ts';

test.use({ viewport: wide });

const button = (page: Page, name: string | RegExp) => page.getByRole('button', { name });
const saved = (page: Page) => page.getByText(/^Saved .+ Visitors see it now\.$/);

async function open(page: Page, site: Parameters<typeof signIn>[1]): Promise<void> {
  await signIn(page, site);
  await page.goto('/analytics/settings/hours');
  await expect(page.getByRole('heading', { level: 3, name: 'Week' })).toBeVisible();
}

/** The times of a weekday, by the owner's clock, that the booking page offers: `11:00`. */
async function offered(page: Page, weekday: string): Promise<string[]> {
  const response = await page.request.get('/api/booking/slots?call=strategy-call');
  const { days, timeZone } = (await response.json()) as {
    days: { date: string; slots: string[] }[];
    timeZone: string;
  };
  const on = (date: string) =>
    new Date(date).toLocaleDateString('en-US', { weekday: 'long', timeZone: 'UTC' }) === weekday;
  // The first one may be today or too soon.
  const [day] = days.filter(({ date }) => on(date)).slice(-1);
  return (day?.slots ?? []).map((slot) =>
    new Date(slot).toLocaleTimeString('en-GB', { hour: '2-digit', minute: '2-digit', timeZone }),
  );
}

/** Drags from one time of a day to another one, on the grid from 8:00 to 20:00. */
async function drag(page: Page, day: Locator, from: number, to: number, toDay = day) {
  const at = async (row: Locator, hour: number) => {
    const box = await row.boundingBox();
    if (!box) throw new Error('The day is not shown.');
    return [box.x + (box.width * (hour - 8)) / 12, box.y + box.height / 2] as const;
  };
  await page.mouse.move(...(await at(day, from)));
  await page.mouse.down();
  await page.mouse.move(...(await at(toDay, to)), { steps: 4 });
  await page.mouse.up();
}

const track = (page: Page, day: string) =>
  page.getByRole('row', { name: day }).locator('[data-track]');

test('hours that are drawn, resized, moved and removed by mouse are offered to visitors at once', async ({
  page,
  emptySite,
}) => {
  await open(page, emptySite);
  await drag(page, track(page, 'Monday'), 9, 11);
  await expect(button(page, 'Monday 9:00 AM to 11:00 AM')).toBeVisible();
  await expect(saved(page)).toBeVisible();
  await expect.poll(() => offered(page, 'Monday')).toEqual(['09:00', '09:30', '10:00', '10:30']);
  const bookPage = '/book/strategy-call?timeZone=Europe/London';
  await expect.poll(async () => (await page.request.get(bookPage)).text()).toMatch(/>9:00 AM</);

  // An edge, then the middle, then onto another day.
  await drag(page, track(page, 'Monday'), 10.97, 12);
  await expect(button(page, 'Monday 9:00 AM to 12:00 PM')).toBeVisible();
  await drag(page, track(page, 'Monday'), 10, 14);
  await expect(button(page, 'Monday 1:00 PM to 4:00 PM')).toBeVisible();
  await drag(page, track(page, 'Monday'), 14, 14, track(page, 'Saturday'));
  await expect(button(page, 'Saturday 1:00 PM to 4:00 PM')).toBeVisible();
  await expect(button(page, /^Monday \d/)).toHaveCount(0);
  // What is drawn over it becomes one span with it.
  await drag(page, track(page, 'Saturday'), 12, 14);
  await expect(button(page, 'Saturday 12:00 PM to 4:00 PM')).toBeVisible();
  await expect(page.getByText('Chosen: Saturday, 12:00–4:00 PM')).toBeVisible();
  await expectAccessibleOnAllScreens(page, 'the hours with a chosen span');

  await track(page, 'Saturday').getByRole('button').click();
  await page.getByRole('button', { name: 'Remove', exact: true }).click();
  await expect(page.getByText('Removed: Saturday, 12:00–4:00 PM')).toBeVisible();
  await expect(button(page, 'Undo')).toBeFocused();
  await expect.poll(() => offered(page, 'Saturday')).toEqual([]);
  await button(page, 'Undo').click();
  await expect.poll(async () => (await offered(page, 'Saturday')).length).toBe(8);
  await page.reload();
  await expect(button(page, 'Saturday 12:00 PM to 4:00 PM')).toBeVisible();
  await expect(page.getByRole('link', { name: /^Hours and calls/ })).toContainText(
    '21.5 hours a week, London',
  );
});

test.describe('on a tablet', () => {
  test.use({ hasTouch: true, viewport: { width: 820, height: 1100 } });

  test('a finger draws hours and moves them', { tag: '@long' }, async ({ page, emptySite }) => {
    await open(page, emptySite);
    const cdp = await page.context().newCDPSession(page);
    const touch = async (from: number, to: number) => {
      const box = await track(page, 'Monday').boundingBox();
      if (!box) throw new Error('The day is not shown.');
      const point = (hour: number) => [
        { x: box.x + (box.width * (hour - 8)) / 12, y: box.y + box.height / 2 },
      ];
      const send = (type: 'touchStart' | 'touchMove' | 'touchEnd', hour?: number) =>
        cdp.send('Input.dispatchTouchEvent', {
          type,
          touchPoints: hour === undefined ? [] : point(hour),
        });
      await send('touchStart', from);
      for (let step = 1; step <= 4; step++)
        await send('touchMove', from + ((to - from) * step) / 4);
      await send('touchEnd');
    };
    await touch(9, 11);
    await expect(button(page, 'Monday 9:00 AM to 11:00 AM')).toBeVisible();
    await touch(10, 15);
    await expect(button(page, 'Monday 2:00 PM to 4:00 PM')).toBeVisible();
    await expect.poll(async () => (await offered(page, 'Monday'))[0]).toBe('14:00');
  });
});

test('what is being drawn is given up with Escape', async ({ page, emptySite }) => {
  await open(page, emptySite);
  const box = await track(page, 'Monday').boundingBox();
  if (!box) throw new Error('The day is not shown.');
  await page.mouse.move(box.x + 100, box.y + 10);
  await page.mouse.down();
  await page.mouse.move(box.x + 300, box.y + 10);
  await expect(page.locator('[data-new]')).toBeVisible();
  await page.keyboard.press('Escape');
  await expect(page.locator('[data-new]')).toHaveCount(0);
  await page.mouse.up();
  await expect(button(page, /^Monday \d/)).toHaveCount(0);
});

test('hours are changed by the keys alone, also with forced colours', async ({
  page,
  emptySite,
}) => {
  await page.emulateMedia({ forcedColors: 'active' });
  await open(page, emptySite);
  await button(page, 'Type the hours').focus();
  await page.keyboard.press('Tab');
  await expect(button(page, 'Add hours on Monday')).toBeFocused();
  for (const key of ['Enter', 'Shift+ArrowRight', 'Shift+ArrowUp']) await page.keyboard.press(key);
  await expect(button(page, 'Monday 9:45 AM to 12:15 PM')).toBeFocused();
  await expectAccessible(page, 'the hours with forced colours');
  await expect.poll(async () => (await offered(page, 'Monday'))[0]).toBe('09:45');
  await page.keyboard.press('Delete');
  await expect(button(page, 'Undo')).toBeFocused();
  await expect.poll(() => offered(page, 'Monday')).toEqual([]);
});

test('hours are typed on a phone, and stay when the network is gone', async ({
  page,
  context,
  emptySite,
  consoleErrors,
}) => {
  await page.setViewportSize(narrow);
  await open(page, emptySite);
  await expect(page.getByRole('grid')).toHaveCount(0);
  await page.locator('summary', { hasText: 'Monday' }).click();
  const monday = page.getByRole('group', { name: 'Monday' });
  await monday.getByRole('button', { name: 'Add hours' }).click();
  await monday.getByLabel('From').fill('09:00');
  await monday.getByLabel('To', { exact: true }).fill('10:00');
  await expect(saved(page)).toBeVisible();
  await expect.poll(() => offered(page, 'Monday')).toEqual(['09:00', '09:30']);
  await expectAccessible(page, 'typed hours');

  await page.setViewportSize({ width: 320, height: 640 });
  expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBeLessThanOrEqual(320);
  await context.setOffline(true);
  await monday.getByLabel('To', { exact: true }).fill('10:30');
  await monday.getByLabel('To', { exact: true }).blur();
  await expect(page.getByText('Not saved.')).toBeVisible();
  await expectConsoleError(consoleErrors, /ERR_INTERNET_DISCONNECTED/);
  await context.setOffline(false);
  await expect.poll(() => offered(page, 'Monday')).toEqual(['09:00', '09:30', '10:00']);
  await expect(saved(page)).toBeVisible();
});

test('two tabs that change one day choose between both', async ({ page, context, emptySite }) => {
  await open(page, emptySite);
  const other = await context.newPage();
  await other.goto('/analytics/settings/hours');
  await button(other, 'Add hours on Sunday').click();
  await expect(saved(other)).toBeVisible();
  await drag(page, track(page, 'Sunday'), 14, 16);
  await expect(page.getByRole('group', { name: 'Changed in another tab' })).toBeVisible();
  await expectAccessible(page, 'a conflict of hours');
  await button(page, 'Keep mine').click();
  await expect(saved(page)).toBeVisible();
  await expect.poll(() => offered(page, 'Sunday')).toEqual(['14:00', '14:30', '15:00', '15:30']);
});

test('days off and the link of a call are live at once', async ({ page, emptySite }) => {
  await open(page, emptySite);
  await button(page, 'Add days off').click();
  await page.getByLabel('First day').fill('2027-02-15');
  await page.getByLabel('Last day').fill('2027-02-11');
  await button(page, 'Add these days').click();
  await expect(page.getByRole('alert')).toHaveText('Last day is before first day.');
  await expectAccessibleOnAllScreens(page, 'wrong days off');
  await page.getByLabel('Last day').fill('2027-02-21');
  await button(page, 'Add these days').click();
  await expect(page.getByText('7 days', { exact: true })).toBeVisible();
  await expect(button(page, 'Add days off')).toBeFocused();
  await expect(saved(page)).toBeVisible();
  await page.getByRole('radio', { name: 'My video link' }).check();
  await page.getByLabel('Your video link').fill('https://meet.example.com/rowan');
  await page.getByLabel('Your video link').press('Enter');
  await expect(button(page, 'Test Your video link')).toBeVisible();
  await expect(saved(page)).toBeVisible();
  await page.reload();
  await expect(page.getByLabel('Your video link')).toHaveValue('https://meet.example.com/rowan');
  await expect(page.getByRole('group', { name: 'Changed, but not published' })).toHaveCount(0);
});

test('hours that cannot be right are named after a reload, and taken back', async ({
  page,
  emptySite,
}) => {
  await open(page, emptySite);
  await button(page, 'Add hours on Monday').click();
  await expect(saved(page)).toBeVisible();
  await button(page, 'Type the hours').click();
  await page.locator('summary', { hasText: 'Monday' }).click();
  const monday = page.getByRole('group', { name: 'Monday' });
  await monday.getByLabel('To', { exact: true }).fill('08:00');
  const reversed = 'The end of these hours is before their start.';
  await expect(monday.getByText(reversed)).toBeVisible();
  await expect(page.getByText('Not saved.')).toBeVisible();

  await page.reload();
  const notice = page.getByRole('group', { name: 'Changed, but not published' });
  await expect(notice.getByText(reversed)).toBeVisible();
  await expect(notice.getByText('10:00 – 12:00')).toBeVisible();
  await expect(notice.getByRole('button', { name: 'Publish it' })).toHaveCount(0);
  await expect(track(page, 'Monday')).toHaveText('10:00–08:00 cannot be drawn');
  await expectAccessibleOnAllScreens(page, 'unpublished hours that end before they start');
  await notice.getByRole('button', { name: 'Take it back' }).click();
  await expect(saved(page)).toBeVisible();
  await expect(button(page, 'Monday 10:00 AM to 12:00 PM')).toBeVisible();
  await expect(notice).toHaveCount(0);
  await expect.poll(async () => (await offered(page, 'Monday'))[0]).toBe('10:00');
});
