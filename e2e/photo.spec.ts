/** The owner chooses a photo, crops it and publishes it. */
import { resolve } from 'node:path';
import type { Page } from '@playwright/test';
import react from '@vitejs/plugin-react';
import sharp from 'sharp';
import { build } from 'vite';
import { pictureOf } from '../server/testing/picture.ts';
import { site as config } from '../site.config.ts';
import { expectAccessibleOnAllScreens } from './axe.ts';
import { signIn } from './screens.ts';
import { expect, expectConsoleError, type RunningSite, test, testOnEmptySite } from './site.ts';

/** A page with the field alone, whose address follows it. */
const page = `
  import { useState } from 'react';
  import { createRoot } from 'react-dom/client';
  import { AppProviders, styleCache } from '${resolve('src')}/app-providers.tsx';
  import { PhotoField } from '${resolve('src')}/editor/photo-field.tsx';
  function Harness() {
    const [value, setValue] = useState('');
    const shape = new URLSearchParams(location.search).get('shape');
    return (
      <main style={{ maxWidth: 352, padding: 16 }}>
        <h1>Site</h1>
        <PhotoField label="Photo of you" value={value} shape={shape} help="Of 4 : 5." onChange={setValue} />
        <output aria-label="Address">{value}</output>
      </main>
    );
  }
  document.body.replaceChildren(document.createElement('div'));
  createRoot(document.body.firstChild).render(
    <AppProviders cache={styleCache()}><Harness /></AppProviders>,
  );`;
const entry = resolve('photo-field-page.tsx');

let harness = '';
test.beforeAll(async () => {
  const built = await build({
    configFile: false,
    logLevel: 'silent',
    plugins: [
      react(),
      {
        name: 'photo-field-page',
        resolveId: (id) => (id === entry ? id : undefined),
        load: (id) => (id === entry ? page : undefined),
      },
    ],
    define: { 'process.env.NODE_ENV': '"production"' },
    build: { write: false, lib: { entry, formats: ['es'] } },
  });
  const [output] = [built].flat();
  if (output && 'output' in output) harness = output.output[0].code;
});

/** Opens the field alone; returns it. */
async function openField(page: Page, site: RunningSite, shape: 'portrait' | 'face' = 'portrait') {
  await signIn(page, site);
  await page.route('**/assets/harness.js', (route) =>
    route.fulfill({ contentType: 'text/javascript', body: harness }),
  );
  await page.goto(`/admin?shape=${shape}`);
  await page.addScriptTag({ url: '/assets/harness.js', type: 'module' });
  const field = page.getByRole('group', { name: 'Photo of you' });
  return {
    field,
    frame: field.getByRole('application'),
    zoom: field.getByRole('slider', { name: 'Zoom' }),
    use: field.getByRole('button', { name: 'Use this crop' }),
    address: page.getByRole('status', { name: 'Address' }),
    button: (name: string) => field.getByRole('button', { name }),
    choose: (name: string, buffer: Buffer) =>
      page
        .getByLabel('File of Photo of you')
        .setInputFiles({ name, mimeType: 'application/octet-stream', buffer }),
  };
}

/** Taken sideways, with its place: upright it has 2400 × 3200 pixels, red on the left and blue on the right. */
async function cameraPicture(): Promise<Buffer> {
  const half = { width: 3200, height: 1200, channels: 3 as const };
  const [blue, red] = await Promise.all(
    ['#00f', '#f00'].map((background) =>
      sharp({ create: { ...half, background } })
        .png()
        .toBuffer(),
    ),
  );
  return sharp({ create: { ...half, height: 2400, background: '#fff' } })
    .composite([
      { input: blue ?? '', top: 0, left: 0 },
      { input: red ?? '', top: 1200, left: 0 },
    ])
    .withExif({
      IFD0: { Orientation: '6', Make: 'Camera' },
      IFD3: { GPSLatitudeRef: 'N', GPSLatitude: '51/1 30/1 0/1' },
    })
    .withMetadata({ orientation: 6 })
    .jpeg()
    .toBuffer();
}

/** The uploaded files, in their order. */
function uploadsOf(page: Page) {
  const files: Buffer[] = [];
  page.on('request', (request) => {
    const body = request.postDataBuffer();
    if (request.url().includes('/api/site/photos') && body) files.push(body);
  });
  return files;
}
const formatsOf = (files: Buffer[]) =>
  Promise.all(
    files.map(async (file) => {
      const { format, width, height } = await sharp(file).metadata();
      return `${format} ${width}x${height}`;
    }),
  );

testOnEmptySite(
  'a photo is cropped by keyboard, uploaded without its place, and published in the widths that screens need',
  async ({ page, emptySite: site, browser }) => {
    const { frame, zoom, use, address, button, choose } = await openField(page, site);
    const uploads = uploadsOf(page);
    const picture = await cameraPicture();
    expect(await sharp(picture).metadata()).toMatchObject({
      ...{ orientation: 6, exif: expect.anything() },
    });
    await choose('me.jpg', picture);
    await expect(button('Other photo')).toBeVisible();
    // At first as much as fits.
    await expect(zoom).toHaveAttribute('aria-valuetext', '100%');
    await expect(frame).toBeFocused();
    for (let i = 0; i < 10; i++) await page.keyboard.press('+');
    await page.keyboard.press('-');
    await expect(zoom).toHaveAttribute('aria-valuetext', '190%');
    // The photo moves to the left, so that its right half shows.
    for (let i = 0; i < 12; i++) await page.keyboard.press('ArrowLeft');
    await expect(frame.locator('..')).toContainText(
      'Middle 74% from left, 50% from top, zoom 190%',
    );
    await use.click();
    await expect(address).toHaveText(/^\/photos\/[0-9a-f]{32}\.jpg$/);
    await expect(button('Other photo')).toBeFocused();
    expect(await formatsOf(uploads)).toEqual([
      'jpeg 960x1200',
      'webp 960x1200',
      'jpeg 480x600',
      'webp 480x600',
    ]);
    for (const file of uploads) {
      const { exif, xmp, orientation } = await sharp(file).metadata();
      expect([exif, xmp, orientation]).toEqual([undefined, undefined, undefined]);
      const [red, , blue] = (await sharp(file).stats()).channels;
      expect(blue?.mean).toBeGreaterThan(10 * (red?.mean ?? 0));
    }

    const photo = await address.textContent();
    const post = (path: string, data: object) => page.request.post(path, { data });
    const patches = [{ path: 'about.photo', from: config.about.photo, to: photo }];
    const saved = await post('/api/site/draft', { patches });
    const { revision } = await saved.json();
    expect((await post('/api/site/publish', { revision })).status()).toBe(200);
    for (const [deviceScaleFactor, width] of [
      [1, 480],
      [2, 960],
    ]) {
      const visitor = await browser.newPage({
        ...{ baseURL: site.origin, viewport: { width: 390, height: 844 } },
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
      expect(await formatsOf([await shown.body()])).toEqual([
        `webp ${width}x${(width ?? 0) * 1.25}`,
      ]);
      await visitor.close();
    }
  },
);

test('a photo is cropped by pointer and slider, and its screen is accessible', async ({
  page,
  site,
}) => {
  const { frame, zoom, use, address, button, choose } = await openField(page, site, 'face');
  const uploads = uploadsOf(page);
  await expectAccessibleOnAllScreens(page, 'the field without a photo');
  await choose('me.jpg', await cameraPicture());
  await expect(zoom).toBeVisible();
  await expectAccessibleOnAllScreens(page, 'the crop');
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
  await use.click();
  await expect(address).toHaveText(/^\/photos\//);
  expect(await formatsOf(uploads)).toEqual(['jpeg 128x128', 'webp 128x128']);
  const { channels } = await sharp(uploads[0]).stats();
  expect(channels.map(({ mean }) => Math.round(mean / 100))).toEqual([3, 0, 0]);
  await expectAccessibleOnAllScreens(page, 'the field with a photo');
  await button('Remove').click();
  await expect(address).toHaveText('');
  await expect(button('Choose a photo')).toBeFocused();
});

test('a file that is no picture, and a photo that is too small, are refused in words', async ({
  page,
  site,
}) => {
  const { field, frame, address, choose, button } = await openField(page, site);
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
  await expect(frame).toBeVisible();
  await expect(alert).toHaveCount(0);
  await button('Remove').click();
  await expect(frame).toHaveCount(0);
  await expect(address).toHaveText('');
});

test('a failed upload keeps the crop, and is tried again', async ({
  page,
  site,
  consoleErrors,
}) => {
  const { field, frame, zoom, use, address, choose, button } = await openField(page, site);
  await choose('me.jpg', await cameraPicture());
  await frame.press('+');
  for (const [fail, sentence] of [
    ['abort', 'The photo did not reach the site. Please check your connection.'],
    [401, 'You are signed out. Sign in again, then try again.'],
    [403, 'This was refused.'],
  ] as const) {
    await page.route('**/api/site/photos*', (route) =>
      fail === 'abort'
        ? route.abort()
        : route.fulfill({ status: fail, json: { error: 'This was refused.', code: 'X' } }),
    );
    await field.getByRole('button', { name: /^(Use this crop|Try again)$/ }).click();
    await expect(field.getByRole('alert')).toHaveText(sentence);
    await expect(use).toHaveCount(0);
    await expect(zoom).toHaveAttribute('aria-valuetext', '110%');
    await page.unroute('**/api/site/photos*');
    await expectConsoleError(consoleErrors, /Failed to load resource/);
  }
  await button('Try again').click();
  await expect(address).toHaveText(/^\/photos\//);
  await expect(field.getByRole('alert')).toHaveCount(0);
});

test('a transparent photo stays so, as PNG and WebP', async ({ page, site }) => {
  const { use, address, choose } = await openField(page, site);
  const uploads = uploadsOf(page);
  await choose('me.png', await pictureOf('png', 600, 700, { alpha: 0.5 }));
  await use.click();
  await expect(address).toHaveText(/\.png$/);
  expect(await formatsOf(uploads)).toEqual(['png 480x600', 'webp 480x600']);
  for (const file of uploads) expect((await sharp(file).stats()).isOpaque).toBe(false);
});

test('a photo with more pixels than phones draw is shrunk, and cropped as any other', async ({
  page,
  site,
}) => {
  const { use, address, choose } = await openField(page, site);
  const uploads = uploadsOf(page);
  await choose('me.jpg', await pictureOf('jpeg', 8064, 6048));
  await use.click();
  await expect(address).toHaveText(/^\/photos\//);
  expect((await formatsOf(uploads))[0]).toBe('jpeg 960x1200');
});
