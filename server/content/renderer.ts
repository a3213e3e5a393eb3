/** Renders the site from a config while it runs, by the bundle that also renders it at build. */
import { resolve as pathTo } from 'node:path';
import { Worker } from 'node:worker_threads';
import type { SiteConfig } from '../../site.defaults.ts';
import type { RenderedSite } from '../contract/pages.ts';
import { AppError } from '../errors.ts';

/** When a rendering is given up, in ms: a hundred times what it takes. */
const timeoutMs = 30_000;

/** Renders one site after the other. Rejects, and leaves the running site alone, when a config cannot be rendered. */
export type Render = (config: SiteConfig) => Promise<RenderedSite>;

/** Creates the renderer of the build in `dist`. */
export function createRenderer(dist: string): Render {
  let last: Promise<unknown> = Promise.resolve();
  return (config) => {
    const rendered = last.then(() => renderOnce(dist, config));
    last = rendered.catch(() => {});
    return rendered;
  };
}

function renderOnce(dist: string, config: SiteConfig): Promise<RenderedSite> {
  const worker = new Worker(pathTo(dist, 'server/render-worker.js'), {
    workerData: { folder: pathTo(dist, 'renderer'), config },
    resourceLimits: { maxOldGenerationSizeMb: 128 },
  });
  return new Promise<RenderedSite>((resolve, reject) => {
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
