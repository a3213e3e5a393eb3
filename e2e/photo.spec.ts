/** The owner chooses a photo, crops it and publishes it. */
import type { Page } from '@playwright/test';
import sharp from 'sharp';
import { cameraPicture, pictureOf } from '../server/testing/picture.ts';
import { expectAccessibleOnAllScreens } from './axe.ts';
import { signIn } from './screens.ts';
import { expect, expectConsoleError, type RunningSite, testOnEmptySite as test } from './site.ts';

/** Opens the field of a photo in the editor. */
async function openField(
  page: Page,
  site: RunningSite,
  at: 'about.photo' | 'testimonials.quotes.0.photo' = 'about.photo',
) {
  await signIn(page, site);
  await page.goto(`/analytics/site?field=${at}`);
  const label = at === 'about.photo' ? 'Photo of you' : 'Photo';
  const field = page.getByRole('group', { name: new RegExp(`^${label}`) });
  const button = (name: string) => field.getByRole('button', { name });
  await expect(button('Other photo')).toBeFocused();
  return {
    field,
    button,
    frame: field.getByRole('application'),
    zoom: field.getByRole('slider', { name: 'Zoom' }),
    photo: field.getByRole('img', { name: label }),
    choose: (name: string, buffer: Buffer) =>
      page
        .getByLabel(`File of ${label}`)
        .setInputFiles({ name, mimeType: 'application/octet-stream', buffer }),
  };
}

const uploaded = /^\/photos\/[0-9a-f]{32}\.(jpg|png)$/;

/** The uploaded files, in their order. Without a route, requests do not tell the bytes of their body. */
async function uploadsOf(page: Page): Promise<Buffer[]> {
  const files: Buffer[] = [];
  await page.route('**/api/site/photos*', (route) => {
    const body = route.request().postDataBuffer();
    if (body) files.push(body);
    return route.continue();
  });
  return files;
}

/** Holds the uploads until the returned function is called. */
async function holdUploads(page: Page): Promise<() => void> {
  let release = () => {};
  const isReleased = new Promise<void>((resolve) => {
    release = resolve;
  });
  await page.route('**/api/site/photos*', async (route) => {
    await isReleased;
    await route.continue();
  });
  return release;
}

const sectionOf = (page: Page, name: string | RegExp) =>
  page.getByRole('navigation', { name: 'Sections' }).getByRole('button', { name });

const formatsOf = (files: Buffer[]) =>
  Promise.all(
    files.map(async (file) => {
      const { format, width, height } = await sharp(file).metadata();
      return `${format} ${width}x${height}`;
    }),
  );

test('a photo is cropped by keyboard, uploaded without its place, and published in the widths that screens need', async ({
  page,
  emptySite,
  browser,
}) => {
  const { frame, zoom, photo, button, choose } = await openField(page, emptySite);
  const uploads = await uploadsOf(page);
  const picture = await cameraPicture();
  expect(await sharp(picture).metadata()).toMatchObject({
    ...{ orientation: 6, exif: expect.anything() },
  });
  await choose('me.jpg', picture);
  await expect(photo).toHaveAttribute('src', uploaded);
  await button('Crop').click();
  // At first as much as fits.
  await expect(zoom).toHaveAttribute('aria-valuetext', '100%');
  await expect(frame).toBeFocused();
  for (let i = 0; i < 10; i++) await page.keyboard.press('+');
  await page.keyboard.press('-');
  await expect(zoom).toHaveAttribute('aria-valuetext', '190%');
  // The photo moves to the left, so that its right half shows.
  for (let i = 0; i < 12; i++) await page.keyboard.press('ArrowLeft');
  await expect(frame.locator('..')).toContainText('Middle 74% from left, 50% from top, zoom 190%');
  await button('Use this crop').click();
  await expect(photo).toHaveAttribute('src', uploaded);
  await expect(button('Crop')).toBeFocused();
  const sizes = ['jpeg 960x1200', 'webp 960x1200', 'jpeg 480x600', 'webp 480x600'];
  // Both are made from the chosen file: of the first upload, this crop has too few pixels for the larger size.
  expect(await formatsOf(uploads)).toEqual([...sizes, ...sizes]);
  for (const file of uploads.slice(sizes.length)) {
    const { exif, xmp, orientation } = await sharp(file).metadata();
    expect([exif, xmp, orientation]).toEqual([undefined, undefined, undefined]);
    const [red, , blue] = (await sharp(file).stats()).channels;
    expect(blue?.mean).toBeGreaterThan(10 * (red?.mean ?? 0));
  }

  const inPreview = page
    .frameLocator('iframe[title="Preview of your site"]')
    .locator('[data-field="about.photo"]');
  await expect(inPreview).toHaveAttribute('src', uploaded);
  await inPreview.scrollIntoViewIfNeeded();
  await expect
    .poll(() => inPreview.evaluate((image: HTMLImageElement) => image.naturalWidth))
    .toBeGreaterThan(0);
  await page.getByRole('button', { name: 'Publish 1 change' }).click();
  const panel = page.getByRole('dialog', { name: 'Publish 1 change' });
  await expect(panel.getByRole('img', { name: 'a photo' })).toHaveAttribute('src', uploaded);
  await panel.getByRole('button', { name: 'Publish', exact: true }).click();
  await expect(panel).toBeHidden();
  for (const [deviceScaleFactor, width] of [
    [1, 480],
    [2, 960],
  ]) {
    const visitor = await browser.newPage({
      ...{ baseURL: emptySite.origin, viewport: { width: 390, height: 844 } },
      ...(deviceScaleFactor && { deviceScaleFactor }),
    });
    await visitor.goto('/');
    const image = visitor.locator('#about img');
    await image.scrollIntoViewIfNeeded();
    await expect
      .poll(() => image.evaluate((one: HTMLImageElement) => one.currentSrc))
      .toMatch(/\/photos\/[0-9a-f]{32}\.webp$/);
    const address = await image.evaluate((one: HTMLImageElement) => one.currentSrc);
    const shown = await visitor.request.get(address);
    expect(await formatsOf([await shown.body()])).toEqual([`webp ${width}x${(width ?? 0) * 1.25}`]);
    await visitor.close();
  }
});

test('a photo is cropped by pointer and slider, and its screen is accessible', {
  tag: '@long',
}, async ({ page, emptySite }) => {
  const { frame, zoom, photo, button, choose } = await openField(
    page,
    emptySite,
    'testimonials.quotes.0.photo',
  );
  const uploads = await uploadsOf(page);
  await expectAccessibleOnAllScreens(page, 'the field without a photo');
  await choose('me.jpg', await cameraPicture());
  await button('Crop').click();
  await expect(zoom).toBeVisible();
  await expectAccessibleOnAllScreens(page, 'the crop');
  await page.emulateMedia({ forcedColors: 'active' });
  // The right half has the track alone: the thumb is at the left.
  const slider = sharp(await zoom.screenshot());
  const { width, height } = await slider.metadata();
  const half = { left: Math.ceil(width / 2), top: 0, width: Math.floor(width / 2), height };
  const [red] = (await sharp(await slider.extract(half).toBuffer()).stats()).channels;
  expect(red?.stdev).toBeGreaterThan(0);
  await page.emulateMedia({ forcedColors: 'none' });
  await zoom.press('ArrowRight');
  await expect(zoom).toHaveAttribute('aria-valuetext', '110%');
  await zoom.fill('4');
  await expect(zoom).toHaveAttribute('aria-valuetext', '400%');
  const box = await frame.boundingBox();
  if (!box) throw new Error('The frame is not shown.');
  const [x, y] = [box.x + box.width / 2, box.y + box.height / 2];
  await page.mouse.move(x, y);
  await page.mouse.down();
  await page.mouse.move(x + box.width, y, { steps: 4 });
  await page.mouse.up();
  await page.mouse.move(x, y);
  await button('Use this crop').click();
  await expect(photo).toHaveAttribute('src', uploaded);
  expect(await formatsOf(uploads.slice(2))).toEqual(['jpeg 128x128', 'webp 128x128']);
  const { channels } = await sharp(uploads[2]).stats();
  expect(channels.map(({ mean }) => Math.round(mean / 100))).toEqual([3, 0, 0]);
  await expectAccessibleOnAllScreens(page, 'the field with a photo');
  await button('Remove').click();
  await expect(photo).toHaveCount(0);
  await expect(button('Choose a photo')).toBeFocused();
});

test('a file that is no picture, and a photo that is too small, are refused in words', async ({
  page,
  emptySite,
}) => {
  const { field, photo, choose, button } = await openField(page, emptySite);
  const alert = field.getByRole('alert');
  const heic = Buffer.concat([
    Buffer.from('\0\0\0\x18ftypheic\0\0\0\0mif1heic'),
    Buffer.alloc(500),
  ]);
  await choose('holiday.heic', heic);
  await expect(alert).toHaveText(
    '“holiday.heic” cannot be read here. On an iPhone: share it as JPEG, or open this page there.',
  );
  const truncated = (await cameraPicture()).subarray(0, 300);
  await choose('half.jpg', truncated);
  await expect(alert).toContainText('“half.jpg” cannot be read here.');
  await choose('small.png', await pictureOf('png', 300, 900));
  await expect(alert).toHaveText('This photo is 300 pixels wide. It needs 480.');
  await choose('flat.png', await pictureOf('png', 900, 300));
  await expect(alert).toHaveText('This photo is 300 pixels high. It needs 600.');
  await expectAccessibleOnAllScreens(page, 'a mistake');
  await choose('me.png', await pictureOf('png', 480, 600));
  await expect(photo).toHaveAttribute('src', uploaded);
  await expect(alert).toHaveCount(0);
  await button('Crop').click();
  await expect(alert).toHaveText(
    'This photo has no pixels left to crop. Choose the original, or a larger one.',
  );
});

test('an upload goes on when its section is left, holds the publish, and is shown on return', {
  tag: '@long',
}, async ({ page, emptySite }) => {
  const { field, photo, choose, button } = await openField(page, emptySite);
  const release = await holdUploads(page);
  const bar = page.getByRole('group', { name: 'State of the draft' });
  const publish = page.getByRole('button', { name: /^Publish/ });
  await choose('me.jpg', await cameraPicture());
  await sectionOf(page, 'FAQ').click();
  await page.getByRole('textbox', { name: /^Title/ }).fill('Asked often');
  await expect(page.getByRole('button', { name: 'Publish 1 change' })).toBeVisible();
  await expect(bar).toHaveText('1 changeUploading 1 photo …');
  await expect(publish).toBeDisabled();
  await sectionOf(page, /^About/).click();
  await expect(field.getByRole('status')).toHaveText('Uploading 1 of 4 …');
  await expect(button('Cancel')).toBeVisible();
  await expect(button('Remove')).toHaveCount(0);
  release();
  await expect(photo).toHaveAttribute('src', uploaded);
  await expect(bar).toContainText('2 changessaved');
  await expect(publish).toBeEnabled();
});

test('a photo whose upload is stopped by the end of the session is uploaded after the sign-in', {
  tag: '@long',
}, async ({ page, emptySite, consoleErrors }) => {
  const { photo, choose } = await openField(page, emptySite);
  let release = await holdUploads(page);
  await choose('me.jpg', await cameraPicture());
  const other = await page.context().newPage();
  await other.goto('/analytics/settings');
  await other.getByRole('button', { name: 'Logout' }).click();
  await expect(page).toHaveURL('/admin');
  release();
  await expectConsoleError(consoleErrors, /status of 401/);
  await page.getByLabel('Password').fill(emptySite.password);
  await page.getByRole('button', { name: 'Access Dashboard' }).click();
  await expect(photo).toHaveAttribute('src', uploaded);
  const first = (await photo.getAttribute('src')) ?? '';
  await expect(page.getByRole('button', { name: 'Publish 1 change' })).toBeEnabled();

  release = await holdUploads(page);
  await choose('other.jpg', await pictureOf('jpeg', 700, 900));
  await sectionOf(page, 'FAQ').click();
  await page.context().clearCookies();
  release();
  const bar = page.getByRole('group', { name: 'State of the draft' });
  await expect(bar).toContainText(
    'Photo not savedAbout · Photo of youYou are signed out. Try again to sign in.',
  );
  await expectConsoleError(consoleErrors, /status of 401/);
  await bar.getByRole('button', { name: 'Try again' }).click();
  const dialog = page.getByRole('dialog', { name: 'Sign in to save' });
  await dialog.getByLabel('Password', { exact: true }).fill(emptySite.password);
  await dialog.getByRole('button', { name: 'Sign in and save' }).click();
  await expectConsoleError(consoleErrors, /status of 401/);
  await expect(photo).not.toHaveAttribute('src', first);
  await expect(photo).toHaveAttribute('src', uploaded);
});

test('one Undo takes back a chosen photo with its crop, and a stored photo can be cropped after a reload', {
  tag: '@long',
}, async ({ page, emptySite }) => {
  const { field, frame, zoom, photo, choose, button } = await openField(page, emptySite);
  const undo = page.getByRole('button', { name: 'Undo', exact: true });
  await choose('me.jpg', await cameraPicture());
  await expect(photo).toHaveAttribute('src', uploaded);
  await button('Crop').click();
  await frame.press('+');
  await button('Use this crop').click();
  await expect(frame).toHaveCount(0);
  await expect(photo).toHaveAttribute('src', uploaded);
  await undo.click();
  await expect(field).toContainText('a sample picture');
  await expect(undo).toBeDisabled();
  await page.getByRole('button', { name: 'Redo' }).click();
  await expect(photo).toHaveAttribute('src', uploaded);
  const first = await photo.getAttribute('src');
  await expect(page.getByRole('button', { name: 'Publish 1 change' })).toBeEnabled();

  await page.reload();
  await button('Crop').click();
  await frame.press('ArrowLeft');
  await frame.press('+');
  // An adjusted crop is not lost when the owner goes on elsewhere.
  await sectionOf(page, 'FAQ').click();
  await expect(page.getByRole('button', { name: 'Publish 1 change' })).toBeDisabled();
  const bar = page.getByRole('group', { name: 'State of the draft' });
  await expect(bar).toContainText('About · Photo of you: the new crop is not used yet.');
  await bar.getByRole('button', { name: 'Show it' }).click();
  await expect(zoom).toHaveAttribute('aria-valuetext', '110%');
  await expect(button('Other photo')).toBeFocused();
  await button('Cancel').click();
  await expect(button('Crop')).toBeFocused();
  await expect(photo).toHaveAttribute('src', first ?? '');
  await button('Crop').click();
  await frame.press('+');
  await button('Use this crop').click();
  await expect(frame).toHaveCount(0);
  await expect(photo).not.toHaveAttribute('src', first ?? '');
});

test('a failed upload keeps the crop, and is tried again', { tag: '@long' }, async ({
  page,
  emptySite,
  consoleErrors,
}) => {
  const { field, frame, zoom, photo, choose, button } = await openField(page, emptySite);
  await choose('me.jpg', await cameraPicture());
  await expect(photo).toHaveAttribute('src', uploaded);
  await button('Crop').click();
  await frame.press('+');
  for (const [fail, sentence] of [
    ['abort', 'The photo did not reach the site. Please check your connection.'],
    [403, 'This was refused.'],
  ] as const) {
    await page.route('**/api/site/photos*', (route) =>
      fail === 'abort'
        ? route.abort()
        : route.fulfill({ status: fail, json: { error: 'This was refused.', code: 'X' } }),
    );
    await field.getByRole('button', { name: /^(Use this crop|Try again)$/ }).click();
    await expect(field.getByRole('alert')).toHaveText(sentence);
    await expect(button('Use this crop')).toHaveCount(0);
    await expect(zoom).toHaveAttribute('aria-valuetext', '110%');
    await page.unroute('**/api/site/photos*');
    await expectConsoleError(consoleErrors, /Failed to load resource/);
  }
  // Of another picture the first upload fails, too, which takes no focus.
  await page.context().clearCookies();
  await button('Other photo').focus();
  await choose('other.jpg', await pictureOf('jpeg', 700, 900));
  await expect(field.getByRole('alert')).toHaveText('You are signed out. Try again to sign in.');
  await expect(button('Other photo')).toBeFocused();
  await button('Try again').click();
  const dialog = page.getByRole('dialog', { name: 'Sign in to save' });
  await dialog.getByLabel('Password', { exact: true }).fill(emptySite.password);
  await dialog.getByRole('button', { name: 'Sign in and save' }).click();
  await expectConsoleError(consoleErrors, /status of 401/);
  await expect(photo).toHaveAttribute('src', uploaded);
  await expect(field.getByRole('alert')).toHaveCount(0);
});

test('a picture for the icon is made square, and is the icon of the published site', async ({
  page,
  emptySite,
}) => {
  await signIn(page, emptySite);
  await page.goto('/analytics/site?field=seo.icon');
  const uploads = await uploadsOf(page);
  const field = page.getByRole('group', { name: /^Icon/ });
  await expect(field.getByRole('button', { name: 'Choose a picture' })).toBeFocused();
  const picture = { name: 'logo.png', mimeType: 'image/png' };
  await page
    .getByLabel('File of Icon')
    .setInputFiles({ ...picture, buffer: await pictureOf('png', 600, 700, { alpha: 0.5 }) });
  await expect(field.getByRole('img', { name: 'Icon' })).toHaveAttribute('src', uploaded);
  expect(await formatsOf(uploads)).toEqual([
    ...['png 512x512', 'webp 512x512', 'png 192x192', 'webp 192x192'],
  ]);
  await page.getByRole('button', { name: 'Publish 1 change' }).click();
  const panel = page.getByRole('dialog', { name: 'Publish 1 change' });
  await expect(panel).toContainText('Search and sharing · Icon');
  await panel.getByRole('button', { name: 'Publish', exact: true }).click();
  await expect(panel).toBeHidden();
  const html = await (await page.request.get('/')).text();
  const [, address = ''] = /<link rel="icon" href="([^"]+)" type="image\/png"/.exec(html) ?? [];
  const icon = await page.request.get(address);
  expect(await formatsOf([await icon.body()])).toEqual(['png 192x192']);
});

test('a transparent photo stays so, as PNG and WebP', async ({ page, emptySite }) => {
  const { photo, choose } = await openField(page, emptySite);
  const uploads = await uploadsOf(page);
  await choose('me.png', await pictureOf('png', 600, 700, { alpha: 0.5 }));
  await expect(photo).toHaveAttribute('src', /\.png$/);
  expect(await formatsOf(uploads)).toEqual(['png 480x600', 'webp 480x600']);
  for (const file of uploads) expect((await sharp(file).stats()).isOpaque).toBe(false);
});

test('a photo with more pixels than phones draw is shrunk, and cropped as any other', {
  tag: '@long',
}, async ({ page, emptySite }) => {
  const { photo, choose } = await openField(page, emptySite);
  const uploads = await uploadsOf(page);
  await choose('me.jpg', await pictureOf('jpeg', 4600, 3700));
  await expect(photo).toHaveAttribute('src', uploaded);
  expect((await formatsOf(uploads))[0]).toBe('jpeg 960x1200');
});
