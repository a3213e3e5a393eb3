/** Renders the site from a config while it runs, and draws its pictures, by the bundle that also does so at build. */
import { fork } from 'node:child_process';
import { resolve as pathTo } from 'node:path';
import type { SiteConfig } from '../../site.defaults.ts';
import type { DocumentName, RenderedSite } from '../contract/pages.ts';
import { withWords } from '../contract/words/words.ts';
import { createQueue } from '../queue.ts';
import { fieldsIn } from './document.ts';
import { madePhotos, type UploadedPhoto } from './photos.ts';
import type { RenderJob } from './render-process.ts';

/** When a rendering is given up, in ms: a hundred times what it takes. */
const timeoutMs = 30_000;

/** How much of what a rendering writes to stderr is kept, in characters. */
const mostSaid = 4000;

/** What pages show: a config, and the uploaded photos that it names. */
export interface Shown {
  config: SiteConfig;
  photos: readonly UploadedPhoto[];
}

/**
 * Creates the renderer of the build in `dist`. It renders one site after the other, each in a process of its own; a
 * rendering rejects when its config cannot be rendered.
 */
export function createRenderer(dist: string) {
  const folder = pathTo(dist, 'renderer');
  const program = pathTo(dist, 'server/render-process.js');
  const queue = createQueue();
  /** One of them is in `queue` at a time, so that a publish waits for no more. */
  const previews = createQueue();
  const drawings = createQueue();
  return {
    site: ({ config, photos }: Shown) =>
      queue(() =>
        run<RenderedSite>(program, { folder, config, make: 'site', photos: madePhotos(photos) }),
      ),
    /** One page, in which `data-field` names the field of each text on the element around it, and of each photo. */
    preview: ({ config: site, photos: uploaded }: Shown, page: DocumentName) => {
      const config = withWords(site);
      const fields = [...fieldsIn(config, 'text'), ...fieldsIn(config, 'photo')];
      const photos = madePhotos(uploaded);
      const job: RenderJob = { folder, config, make: 'preview', photos, page, fields };
      return previews(() => queue(() => run<string>(program, job)));
    },
    /** The files of pictures by their address. Pages do not wait for them. */
    pictures: (config: SiteConfig, addresses: string[]) =>
      drawings(() =>
        run<Record<string, Uint8Array>>(program, { folder, config, make: 'pictures', addresses }),
      ),
    /** The files with the texts of these configs that scripts load, by their addresses. `config` can be rendered. */
    words: (configs: readonly SiteConfig[], config: SiteConfig) =>
      queue(() => run<RenderedSite['files']>(program, { folder, config, make: 'words', configs })),
  };
}

const flags = [
  // V8 would compile the code a second time, faster, which takes more memory and time than its one use saves.
  ...['--no-opt', '--no-wasm-tier-up', '--wasm-num-compilation-tasks=1'],
  // In megabytes. The new objects of a rendering take 16 otherwise.
  ...['--max-semi-space-size=1', '--max-old-space-size=128'],
];

/** Runs the program in a new process. Rejects with what it throws, and when it ends early or takes too long. */
function run<Result>(program: string, job: RenderJob): Promise<Result> {
  const child = fork(program, {
    execArgv: flags,
    serialization: 'advanced',
    stdio: ['ignore', 'ignore', 'pipe', 'ipc'],
    // It needs none of the server's secrets.
    env: {},
    timeout: timeoutMs,
    killSignal: 'SIGKILL',
  });
  // The reason why V8 gave up, for example.
  let said = '';
  child.stderr?.on('data', (text) => {
    said = (said + text).slice(-mostSaid);
  });
  const kill = () => child.kill('SIGKILL');
  // One that hangs would not notice that the server has ended.
  process.once('exit', kill);
  return new Promise<Result>((resolve, reject) => {
    // The program sends what the job makes.
    child.once('message', (result) =>
      result instanceof Error ? reject(result) : resolve(result as Result),
    );
    child.once('error', reject);
    child.once('close', (code, signal) => {
      const end = signal ?? `exit code ${code}`;
      reject(new Error(`The process that renders the site ended by ${end}. ${said}`.trim()));
    });
    child.send(job, (error) => error && reject(error));
  }).finally(() => {
    process.off('exit', kill);
    kill();
  });
}
