/** The document that this instance shows: read at the start, after a publish, and when another instance published. */
import type { SiteConfig } from '../../site.defaults.ts';
import { storageErrorSentence } from '../health/storage-errors.ts';
import type { Log } from '../log.ts';
import { repeat } from '../repeat.ts';
import type { ContentStore } from './store.ts';

/** How often an instance looks for what another one has published, in ms. */
const every = 2000;

/** Makes the site show a document; rejects, and changes nothing, when it cannot. */
type Show = (config: SiteConfig) => Promise<void>;

interface LiveOptions {
  store: Pick<ContentStore, 'live' | 'counter'>;
  /** The config of `site.config.ts`. */
  file: SiteConfig;
  /** Whether SITE_CONTENT pins the file. */
  isPinned: boolean;
  log: Log;
}

export type LiveContent = ReturnType<typeof createLiveContent>;

export function createLiveContent({ store, file, isPinned, log }: LiveOptions) {
  /** The counter of what is shown, or was tried last. */
  let counter: number | undefined;
  let problem: string | undefined;
  let show: Show = async () => {};
  let stopFollowing = () => {};

  const fail = (shown: string, error?: unknown) => {
    if (problem === undefined) log.error({ error }, 'published site: cannot be shown');
    problem =
      `The published site cannot be shown, so visitors see ${shown}. ` +
      'Please publish it again, or restore another version of it.';
  };

  /** `isNew` when only a document that was not tried yet is of interest. */
  const update = async (isNew: boolean) => {
    if (isPinned) return;
    const isTried = (await store.counter()) === counter;
    if (isTried && (isNew || problem === undefined)) return;
    const next = await store.live(file);
    if (next.config === undefined) fail('the one before it');
    else {
      try {
        await show(next.config);
        problem = undefined;
      } catch (error) {
        fail('the one before it', error);
        // Each try renders the site, so it is repeated only where it may end otherwise.
        if (storageErrorSentence(error) === undefined) counter = next.counter;
        throw error;
      }
    }
    counter = next.counter;
  };
  let updated = Promise.resolve();
  const queueUpdate = (isNew: boolean): Promise<void> => {
    const run = () => update(isNew);
    updated = updated.then(run, run);
    return updated;
  };

  return {
    /** Starts the site by `start` with the document that is live; with that of the file when that one cannot be used. */
    async start<Started>(start: (config: SiteConfig) => Promise<Started>): Promise<Started> {
      if (isPinned) return start(file);
      const live = await store.live(file);
      ({ counter } = live);
      if (live.config === file) return start(file);
      try {
        if (live.config) return await start(live.config);
        fail('site.config.ts');
      } catch (error) {
        fail('site.config.ts', error);
      }
      return start(file);
    },
    /** From now on shows by `change` what is published. */
    follow(change: Show): void {
      show = change;
      let isFailing = false;
      stopFollowing = repeat(
        every,
        async () => {
          await queueUpdate(true);
          isFailing = false;
        },
        (error) => {
          if (!isFailing) log.error({ error }, 'published site: could not look for it; will retry');
          isFailing = true;
        },
      );
    },
    /** Resolves once the site shows what is live in the database; rejects when it cannot be shown. */
    refresh: () => queueUpdate(false),
    /** That the site shows another document than the published one, as a sentence for the owner. */
    alert: (): string | undefined => problem,
    async stop(): Promise<void> {
      stopFollowing();
      await updated.catch(() => {});
    },
  };
}

/** The config that the site shows: the published document if it can be used, else that of the file. */
export async function liveConfig({
  store,
  file,
  isPinned,
}: Omit<LiveOptions, 'log'>): Promise<SiteConfig> {
  return isPinned ? file : ((await store.live(file)).config ?? file);
}
