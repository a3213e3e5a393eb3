/** The server's check of a calendar's frame headers matches the browser's behavior. */
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { expect, test } from '@playwright/test';
import { type FrameUrls, frameCases } from '../server/testing/frame-cases.ts';

/** Serves a page with a frame for each case. A calendar that is shown posts a message to the page. */
async function serve() {
  const server = createServer((req, res) => {
    const url = new URL(req.url ?? '', 'http://ignored');
    const { port } = server.address() as AddressInfo;
    const page = new URL(`http://rowan.localhost:${port}`);
    const calendar = new URL(`http://calendar.localhost:${port}`);
    res.setHeader('Content-Type', 'text/html; charset=utf-8');
    const frameCase = frameCases[Number(url.searchParams.get('case') ?? Number.NaN)];
    if (url.pathname === '/calendar' && frameCase) {
      const place: FrameUrls = { page, calendar };
      if (frameCase.xFrameOptions) res.setHeader('X-Frame-Options', frameCase.xFrameOptions);
      const policies = frameCase.policies?.(place);
      if (policies) res.setHeader('Content-Security-Policy', policies);
      const title = JSON.stringify(frameCase.title);
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
  await new Promise<void>((resolve) => server.listen(0, resolve));
  const { port } = server.address() as AddressInfo;
  const stop = () => {
    server.closeAllConnections();
    server.close();
  };
  return { url: `http://rowan.localhost:${port}/`, stop };
}

test('the browser shows exactly the calendars that the server considers frameable', async ({
  page,
}) => {
  const { url, stop } = await serve();
  // The load event waits for every frame, including the refused ones.
  await page.goto(url, { waitUntil: 'load' });
  const expected = frameCases.filter(({ isShown }) => isShown).map(({ title }) => title);
  const shown = async () =>
    (await page.evaluate<string[]>(() => Reflect.get(window, 'shown'))).sort();
  await expect.poll(shown).toEqual(expected.sort());
  // A refused frame shows the browser's error page.
  const refused = page.frames().filter((frame) => frame.url().startsWith('chrome-error:'));
  expect(refused).toHaveLength(frameCases.length - expected.length);
  stop();
});
