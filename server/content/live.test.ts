import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import type { SiteConfig } from '../../site.defaults.ts';
import { createLog } from '../log.ts';
import { freshStores } from '../testing/engines.ts';
import { validPublish } from '../testing/publish.ts';
import { site as file } from '../testing/sample-config.ts';
import { createLiveContent, type LiveContent } from './live.ts';

const { stores } = freshStores();
const log = createLog('silent', { pretty: false });
const act = { file, now: 0 };

let live: LiveContent;
beforeEach(() => {
  live = createLiveContent({ store: stores.content, file, isPinned: false, now: () => 0, log });
});
afterEach(() => live.stop());

/** Publishes a tagline in place of another one. */
async function publish(to: string, from: string = file.tagline) {
  const { revision } = await stores.content.save({
    ...act,
    patches: [{ path: 'tagline', from, to }],
  });
  await stores.content.publish({ ...act, ...validPublish, revision });
}

it('a document that cannot be shown is an alert until a later try shows it', async () => {
  const shown = [await live.start(async (config) => config)];
  let isBroken = true;
  live.follow(async (config: SiteConfig) => {
    if (isBroken) throw new Error('of the test');
    shown.push(config);
  });
  await live.refresh();
  expect([shown, live.alert()]).toEqual([[file], undefined]);
  await publish('New');
  await expect(live.refresh()).rejects.toThrow('of the test');
  expect(live.alert()).toMatch(
    /^The published site cannot be shown, so visitors see the one before/,
  );
  isBroken = false;
  await live.refresh();
  expect([shown.at(-1)?.tagline, live.alert()]).toEqual(['New', undefined]);
  await stores.content.useFile(act);
  await live.refresh();
  expect(shown.at(-1)).toBe(file);
});

it('a start shows the newest version that can be shown, and what is live as soon as it can be', async () => {
  await publish('Good');
  await publish('Broken', 'Good');
  await publish('Live', 'Broken');
  const broken = new Set(['Broken', 'Live']);
  const tried: [tagline: string, isFallback: boolean][] = [];
  const show = (config: SiteConfig, isFallback: boolean) => {
    tried.push([config.tagline, isFallback]);
    if (broken.has(config.tagline)) throw new Error('of the test');
    return config.tagline;
  };
  expect(await live.start(async (...args) => show(...args))).toBe('Good');
  expect(tried).toEqual([
    ['Live', false],
    ['Broken', true],
    ['Good', true],
  ]);
  expect(live.alert()).toMatch(/so visitors see an older version of it\./);
  broken.clear();
  live.follow(async (config) => void show(config, false));
  await vi.waitFor(() => expect(live.alert()).toBeUndefined(), 20_000);
  expect(tried.at(-1)).toEqual(['Live', false]);
});

it('a start without a version that can be shown falls back to the file', async () => {
  for (const [i, tagline] of ['A', 'B', 'C', 'D', 'E'].entries()) {
    await publish(tagline, ['A', 'B', 'C', 'D'][i - 1]);
  }
  const start = async (config: SiteConfig, isFallback: boolean) => {
    if (config !== file) throw new Error('of the test');
    return isFallback;
  };
  expect(await live.start(start)).toBe(true);
  expect(live.alert()).toMatch(/so visitors see site\.config\.ts\./);
});
