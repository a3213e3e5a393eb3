/** What the server makes of a calendar's headers is what this browser does. */
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { expect, test } from '@playwright/test';
import { type FramePlace, frameCases } from '../server/testing/frame-cases.ts';

/** A page with a frame for each case, and the calendars in them, which tell the page they are shown. */
async function serve() {
  const server = createServer((req, res) => {
    const url = new URL(req.url ?? '', 'http://ignored');
    const { port } = server.address() as AddressInfo;
    const page = new URL(`http://rowan.localhost:${port}`);
    const calendar = new URL(`http://calendar.localhost:${port}`);
    res.setHeader('Content-Type', 'text/html; charset=utf-8');
    const found = frameCases[Number(url.searchParams.get('case') ?? Number.NaN)];
    if (url.pathname === '/calendar' && found) {
      const place: FramePlace = { page, calendar };
      if (found.xFrameOptions) res.setHeader('X-Frame-Options', found.xFrameOptions);
      const policies = found.policies?.(place);
      if (policies) res.setHeader('Content-Security-Policy', policies);
      const title = JSON.stringify(found.title);
      return void res.end(`<script>parent.postMessage(${title}, '*')</script>${title}`);
    }
    const frames = frameCases.map(({ isOwn }, n) => {
      const origin = isOwn ? page.origin : calendar.origin;
      return `<iframe src="${origin}/calendar?case=${n}"></iframe>`;
    });
    res.end(
      `<script>shown = []; onmessage = ({ data }) => shown.push(data)</script>${frames.join('')}`,
    );
  });
  await new Promise<void>((listening) => server.listen(0, listening));
  const { port } = server.address() as AddressInfo;
  const stop = () => {
    server.closeAllConnections();
    server.close();
  };
  return { address: `http://rowan.localhost:${port}/`, stop };
}

test('the browser shows the calendars whose headers are judged to allow it, and no others', async ({
  page,
}) => {
  const { address, stop } = await serve();
  // Its load waits for every frame, the refused ones included.
  await page.goto(address, { waitUntil: 'load' });
  const expected = frameCases.filter(({ isShown }) => isShown).map(({ title }) => title);
  const shown = async () =>
    (await page.evaluate<string[]>(() => Reflect.get(window, 'shown'))).sort();
  await expect.poll(shown).toEqual(expected.sort());
  // In place of each of the others stands the browser's own page.
  const stopped = page.frames().filter((frame) => frame.url().startsWith('chrome-error:'));
  expect(stopped).toHaveLength(frameCases.length - expected.length);
  stop();
});
