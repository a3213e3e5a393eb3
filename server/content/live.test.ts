import { afterEach, expect, it } from 'vitest';
import type { SiteConfig } from '../../site.defaults.ts';
import { createLog } from '../log.ts';
import { freshStores } from '../testing/engines.ts';
import { site as file } from '../testing/sample-config.ts';
import { createLiveContent, type LiveContent } from './live.ts';

const { stores } = freshStores();
const log = createLog('silent', { pretty: false });
const act = { file, now: 0 };

let live: LiveContent;
afterEach(() => live.stop());

it('a document that cannot be shown is an alert until a later try shows it', async () => {
  live = createLiveContent({ store: stores.content, file, isPinned: false, log });
  const shown = [await live.start(async (config) => config)];
  let isBroken = true;
  live.follow(async (config: SiteConfig) => {
    if (isBroken) throw new Error('of the test');
    shown.push(config);
  });
  await live.refresh();
  expect([shown, live.alert()]).toEqual([[file], undefined]);
  const patches = [{ path: 'tagline', from: file.tagline, to: 'New' }];
  const { revision } = await stores.content.save({ ...act, patches });
  await stores.content.publish({ ...act, revision, mistakesIn: () => [], prepare: async () => {} });
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
