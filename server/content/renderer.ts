/** Renders the site from a config while it runs, and draws its pictures, by the bundle that also does so at build. */
import { fork } from 'node:child_process';
import { resolve as pathTo } from 'node:path';
import { Worker } from 'node:worker_threads';
import type { SiteConfig } from '../../site.defaults.ts';
import type { DocumentName, RenderedSite } from '../contract/pages.ts';
import { withWords } from '../contract/words/words.ts';
import { AppError } from '../errors.ts';
import { createQueue } from '../queue.ts';
import { fieldsIn } from './document.ts';
import type { DrawJob } from './draw-pictures.ts';
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
  const drawings = createQueue();
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
    /** The files of pictures by their address. Pages do not wait for them. */
    pictures: (config: SiteConfig, addresses: string[]) =>
      drawings(() => drawOnce(dist, { config, addresses })),
    /** The files with the texts of these configs that scripts load, by their addresses. `config` can be rendered. */
    words: (configs: readonly SiteConfig[], config: SiteConfig) =>
      render<RenderedSite['files']>({ config, photos: {}, words: configs }),
  };
}

/** V8 would compile the code a second time, faster, which takes more memory and time than its one use saves. */
const drawFlags = ['--no-wasm-tier-up', '--wasm-num-compilation-tasks=1'];

function drawOnce(dist: string, job: Omit<DrawJob, 'folder'>): Promise<Record<string, Uint8Array>> {
  const child = fork(pathTo(dist, 'server/draw-pictures.js'), {
    execArgv: drawFlags,
    serialization: 'advanced',
    stdio: ['ignore', 'ignore', 'ignore', 'ipc'],
    // It needs none of the server's secrets.
    env: {},
    timeout: timeoutMs,
  });
  const work: DrawJob = { folder: pathTo(dist, 'renderer'), ...job };
  return new Promise<Record<string, Uint8Array>>((resolve, reject) => {
    child.once('message', (result) =>
      result instanceof Error ? reject(result) : resolve(result as Record<string, Uint8Array>),
    );
    child.once('error', reject);
    child.once('exit', (code, signal) =>
      reject(
        new Error(`The process that draws pictures ended by ${signal ?? `exit code ${code}`}.`),
      ),
    );
    child.send(work, (error) => error && reject(error));
  }).finally(() => child.kill());
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
