/** What the owner types while the server is down: nothing is lost, and "saved" is said of what is on the disk alone. */
import { test as base, expect, type Page } from '@playwright/test';
import { createContentStore } from '../server/content/store.ts';
import { freePort } from '../server/testing/free-port.ts';
import { type ServerProcess, startServer } from '../server/testing/process/server-process.ts';
import { site as config } from '../site.config.ts';
import { signIn } from './screens.ts';
import { createTestDatabase } from './test-database.ts';

const password = 'correct horse battery staple';

/** A site whose server can be killed, and started again at the same address. */
const test = base.extend<{
  server: {
    kill(): Promise<void>;
    start(): Promise<void>;
    origin: string;
    saved(): Promise<string>;
  };
}>({
  // biome-ignore lint/correctness/noEmptyPattern: Playwright requires the pattern
  server: async ({}, use) => {
    const database = await createTestDatabase('SQLite', password);
    const port = String(await freePort());
    let running: ServerProcess | undefined;
    const kill = async () => {
      running?.child.kill('SIGKILL');
      await running?.ended;
    };
    const start = async () => {
      running = await startServer({ ...database.env, PORT: port, ADMIN_PASSWORD: password });
    };
    await start();
    await use({
      kill,
      start,
      origin: `http://127.0.0.1:${port}`,
      /** The headline of the stored draft. */
      async saved() {
        const opened = await database.open();
        const { draft } = await createContentStore(opened).state(config);
        await opened.close();
        return (draft as typeof config).hero.title;
      },
    });
    await kill();
    await database.remove();
  },
  baseURL: ({ server }, use) => use(server.origin),
});

const headline = (page: Page) => page.getByRole('textbox', { name: /^Headline/ });
const bar = (page: Page) => page.getByRole('group', { name: 'State of the draft' });

async function openEditor(page: Page, server: { origin: string }): Promise<void> {
  await page.setViewportSize({ width: 1440, height: 900 });
  await signIn(page, { password } as Parameters<typeof signIn>[1]);
  await page.goto(`${server.origin}/analytics/site`);
  await headline(page).fill('');
}

test('words typed across crashes of the server are all saved, and only those on the disk are called saved', async ({
  page,
  server,
}) => {
  await openEditor(page, server);
  let typed = '';
  for (const [word, isByHand] of [
    ['first ', true],
    ['second', false],
  ] as const) {
    for (const [index, key] of [...word].entries()) {
      await page.keyboard.type(key);
      typed += key;
      // Between two keys, whether the words before are saved or not.
      if (index === 2) {
        await server.kill();
        await page.evaluate(recordSentences);
      }
    }
    await expect(bar(page)).toContainText('Not saved');
    const sentences = await page.evaluate(() => (globalThis as Recording).sentences);
    expect(sentences).toContainEqual(expect.stringContaining('Not saved'));
    expect(sentences?.filter((sentence) => /saved \d/.test(sentence))).toEqual([]);
    await expect(headline(page)).toHaveValue(typed);
    await server.start();
    if (isByHand) await page.getByRole('button', { name: 'Try now' }).click();
    await expect(bar(page)).toContainText(/saved \d+:\d\d/);
    expect(await server.saved()).toBe(typed);
    await expect(headline(page)).toHaveValue(typed);
    await expect(headline(page)).toBeFocused();
  }
});

type Recording = typeof globalThis & { sentences?: string[] };

/** Runs in the page: records what the bar says from its next change on. */
function recordSentences(): void {
  const sentences: string[] = [];
  (globalThis as Recording).sentences = sentences;
  const status = document.querySelector('[aria-label="State of the draft"]');
  const observer = new MutationObserver(() => void sentences.push(status?.textContent ?? ''));
  if (status) observer.observe(status, { subtree: true, childList: true, characterData: true });
}

test('words typed in a tab that is closed while the server is down are in the next tab', async ({
  page,
  server,
}) => {
  await openEditor(page, server);
  await server.kill();
  await headline(page).fill('Typed during the outage.');
  await expect(bar(page)).toContainText('Not saved');
  await headline(page).press('End');
  // The last key, right before the tab is closed.
  await page.keyboard.press('!');
  const context = page.context();
  await page.close();
  await server.start();
  const next = await context.newPage();
  await next.setViewportSize({ width: 1440, height: 900 });
  await next.goto(`${server.origin}/analytics/site`);
  await expect(headline(next)).toHaveValue('Typed during the outage.!');
  await expect(bar(next)).toContainText(/saved \d+:\d\d/);
  expect(await server.saved()).toBe('Typed during the outage.!');
});
