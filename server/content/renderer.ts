/** Renders the site from a config while it runs, by the bundle that also renders it at build. */
import { resolve as pathTo } from 'node:path';
import { Worker } from 'node:worker_threads';
import type { SiteConfig } from '../../site.defaults.ts';
import type { DocumentName, RenderedSite } from '../contract/pages.ts';
import { withWords } from '../contract/words/words.ts';
import { AppError } from '../errors.ts';
import { createQueue } from '../queue.ts';
import { fieldsIn } from './document.ts';
import { madePhotos, type UploadedPhoto } from './photos.ts';
import type { RenderJob } from './render-worker.ts';

/** When a rendering is given up, in ms: a hundred times what it takes. */
const timeoutMs = 30_000;

/** What pages show: a config, and the uploaded photos that it names. */
export interface Shown {
  config: SiteConfig;
  photos: readonly UploadedPhoto[];
}

/**
 * Creates the renderer of the build in `dist`. It renders one site after the other; a rendering rejects when its
 * config cannot be rendered.
 */
export function createRenderer(dist: string) {
  const queue = createQueue();
  const render = <Result>(job: Omit<RenderJob, 'folder'>) =>
    queue(() => renderOnce<Result>(dist, job));
  return {
    site: ({ config, photos }: Shown) =>
      render<RenderedSite>({ config, photos: madePhotos(photos) }),
    /** One page, in which `data-field` names the field of each text on the element around it, and of each photo. */
    preview: ({ config: site, photos }: Shown, page: DocumentName) => {
      const config = withWords(site);
      const fields = [...fieldsIn(config, 'text'), ...fieldsIn(config, 'photo')];
      return render<string>({ config, photos: madePhotos(photos), preview: { page, fields } });
    },
  };
}

function renderOnce<Result>(dist: string, job: Omit<RenderJob, 'folder'>): Promise<Result> {
  const workerData: RenderJob = { folder: pathTo(dist, 'renderer'), ...job };
  const worker = new Worker(pathTo(dist, 'server/render-worker.js'), {
    workerData,
    // The pages are rendered in about 20 MB; a small young generation keeps the rest of the process as it was.
    resourceLimits: { maxOldGenerationSizeMb: 128, maxYoungGenerationSizeMb: 6 },
  });
  return new Promise<Result>((resolve, reject) => {
    const timer = setTimeout(
      () => reject(new AppError('UNRENDERABLE_SITE', 'The pages took too long to render.')),
      timeoutMs,
    );
    worker.once('message', resolve);
    worker.once('error', reject);
    worker.once('exit', () => {
      clearTimeout(timer);
      reject(new AppError('UNRENDERABLE_SITE', 'The pages could not be rendered.'));
    });
  }).finally(() => worker.terminate());
}
