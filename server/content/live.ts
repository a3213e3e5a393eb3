/** The document that this instance shows: read at the start, after a publish, and when another instance published. */
import type { SiteConfig } from '../../site.defaults.ts';
import type { Log } from '../log.ts';
import { createQueue } from '../queue.ts';
import { repeat } from '../repeat.ts';
import type { ContentStore } from './store.ts';

/** How often an instance looks for what another one has published, in ms. */
const every = 1000;

/** Makes the site show a document; rejects, and changes nothing, when it cannot. */
type Show = (config: SiteConfig) => Promise<void>;

interface LiveOptions {
  store: Pick<ContentStore, 'live' | 'counter' | 'publishedBefore' | 'recordFile'>;
  /** The config of `site.config.ts`. */
  file: SiteConfig;
  /** Whether SITE_CONTENT pins the file. */
  isPinned: boolean;
  now: () => number;
  log: Log;
}

/** How many older versions a start tries to show, since each try renders the site. */
const maxTries = 3;

/** The longest pause between two tries to show what is live, in looks: about four minutes. */
const maxPause = 256;

/** What the owner can do, by why the published site cannot be shown. */
const advice = {
  failed:
    'This is tried again by itself. If it stays so, please publish the site again, or restore another version of it.',
  unreadable:
    'It is damaged, or another version of the program has stored it. Please update the program, or run: npm run admin -- content use-file',
};

export type LiveContent = ReturnType<typeof createLiveContent>;

export function createLiveContent({ store, file, isPinned, now, log }: LiveOptions) {
  /** The counter of what is shown, or was tried last. */
  let counter: number | undefined;
  let problem: keyof typeof advice | undefined;
  /** What visitors see while there is a problem. */
  let instead = 'the one before it';
  /** How many looks to skip before the next try, and how many after that one. */
  let [pause, nextPause] = [0, 1];
  let show: Show = async () => {};
  let stopFollowing = () => {};
  let isStopped = false;

  const fail = (reason: keyof typeof advice, error?: unknown) => {
    if (problem === undefined) log.error({ error }, 'published site: cannot be shown');
    problem = reason;
    [pause, nextPause] = [nextPause, Math.min(2 * nextPause, maxPause)];
  };

  /** A `look` tries what failed before only after a pause, and does not reject when that fails again. */
  const update = async (isLook: boolean) => {
    if (isPinned) return;
    const isTried = (await store.counter()) === counter;
    if (isStopped) return;
    if (isTried && problem === undefined) return;
    if (isTried && isLook && pause > 0) {
      pause -= 1;
      return;
    }
    const next = await store.live(file);
    if (isStopped) return;
    if (next.counter !== counter) nextPause = 1;
    ({ counter } = next);
    if (next.config === undefined) return fail('unreadable');
    try {
      await show(next.config);
    } catch (error) {
      fail('failed', error);
      if (isLook) return;
      throw error;
    }
    [problem, instead, nextPause] = [undefined, 'the one before it', 1];
  };
  const queue = createQueue();

  return {
    /**
     * Starts the site by `start` with the document that is live. With one that cannot be read or shown, it is a
     * fallback that starts: the newest older version that can be shown, the file last.
     */
    async start<Started>(
      start: (config: SiteConfig, isFallback: boolean) => Promise<Started>,
    ): Promise<Started> {
      if (isPinned) return start(file, false);
      await store.recordFile({ file, now: now() });
      const live = await store.live(file);
      ({ counter } = live);
      if (live.config === file) return start(file, false);
      try {
        if (live.config) return await start(live.config, false);
        fail('unreadable');
      } catch (error) {
        fail('failed', error);
      }
      instead = 'an older version of it';
      let older = await store.publishedBefore(file);
      for (let tries = 0; older && tries < maxTries; tries++) {
        try {
          return await start(older.config, true);
        } catch (error) {
          log.error(
            { error, version: older.id },
            'published site: an older version cannot be shown',
          );
          older = await store.publishedBefore(file, older.id);
        }
      }
      instead = 'site.config.ts';
      return start(file, true);
    },
    /** From now on shows by `change` what is published. */
    follow(change: Show): void {
      show = change;
      stopFollowing = repeat(
        every,
        () => queue(() => update(true)),
        (error) => log.error({ error }, 'published site: could not look for it; will retry'),
      );
    },
    /** Resolves once the site shows what is live in the database; rejects when it cannot be shown. */
    refresh: () => queue(() => update(false)),
    /** That the site shows another document than the published one, as a sentence for the owner. */
    alert: (): string | undefined =>
      problem &&
      `The published site cannot be shown, so visitors see ${instead}. ${advice[problem]}`,
    /** Shows nothing new from now on. Does not wait for a look that is under way: the database may hang. */
    stop(): void {
      isStopped = true;
      stopFollowing();
    },
  };
}

/** The config that the site shows: the published document, an older one if that cannot be read, or that of the file. */
export async function liveConfig({
  store,
  file,
  isPinned,
}: Pick<LiveOptions, 'store' | 'file' | 'isPinned'>): Promise<SiteConfig> {
  if (isPinned) return file;
  const { config } = await store.live(file);
  return config ?? (await store.publishedBefore(file))?.config ?? file;
}
