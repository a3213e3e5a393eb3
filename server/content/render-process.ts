/**
 * The program that renders a site or draws its pictures, once: no state of it survives, nothing it does can stop the
 * server, and its memory, of which a thread would leave most to the server, goes back to the system.
 */
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { brotliDecompressSync } from 'node:zlib';
import { configVariable, type DocumentName, type RenderedSite } from '../contract/pages.ts';
import type { MadePhoto } from '../contract/photos.ts';
import type { Pictures } from '../contract/pictures.ts';
import { openArtist } from './draw.ts';
import { withFields, withMarks, withPhotoMarks } from './marks.ts';

/** What to make of a config. */
export type RenderJob = {
  /** The folder of the renderer's bundle. */
  folder: string;
  config: object;
} & (
  | { make: 'site'; photos: JobPhotos }
  /** One page, in which `data-field` names the field of each of these texts and photos. */
  | { make: 'preview'; photos: JobPhotos; page: DocumentName; fields: string[] }
  /** The texts of these configs that scripts load. */
  | { make: 'words'; configs: readonly object[] }
  /** The pictures that have these addresses. */
  | { make: 'pictures'; addresses: readonly string[] }
);

/** The uploaded photos that the config names, by their addresses. */
type JobPhotos = Readonly<Record<string, MadePhoto>>;

interface Renderer {
  renderSite(assets: unknown, app: string): RenderedSite;
  renderPage(name: DocumentName, assets: unknown): string;
  renderWords(configs: readonly object[], assets: unknown): RenderedSite['files'];
  pictures: Pictures;
}

async function resultOf({ folder, config, ...job }: RenderJob) {
  // The bundle reads the config when it loads.
  Object.assign(globalThis, {
    [configVariable]: job.make === 'preview' ? withMarks(config, job.fields) : config,
  });
  const renderer: Renderer = await import(
    /* @vite-ignore */ pathToFileURL(join(folder, 'renderer.js')).href
  );
  if (job.make === 'pictures') return draw(folder, renderer.pictures, job.addresses);
  const { assets, app } = JSON.parse(readFileSync(join(folder, 'assets.json'), 'utf8'));
  if (job.make === 'words') return renderer.renderWords(job.configs, assets);
  const photos = { ...job.photos, ...assets.photos };
  if (job.make === 'site') return renderer.renderSite({ ...assets, photos }, app);
  const page = renderer.renderPage(job.page, { ...assets, photos: withPhotoMarks(photos) });
  return withFields(page, job.fields);
}

async function draw(
  folder: string,
  pictures: Pictures,
  addresses: readonly string[],
): Promise<Record<string, Buffer>> {
  const read = (name: string) => readFileSync(join(folder, name));
  const fonts = readdirSync(folder).filter((name) => name.endsWith('.ttf'));
  const artist = await openArtist(
    brotliDecompressSync(read('resvg.wasm.br')),
    fonts.sort().map(read),
  );
  return Object.fromEntries(
    Object.entries(pictures)
      .filter(([address]) => addresses.includes(address))
      .map(([address, picture]) => [address, artist.draw(address, picture(artist.measure))]),
  );
}

// A terminal and systemd send them to this process, too, and the server finishes its requests first.
for (const signal of ['SIGINT', 'SIGTERM'] as const) process.on(signal, () => {});
// The server has ended.
process.once('disconnect', () => process.exit());
process.once('message', (job: RenderJob) => {
  resultOf(job).then(
    (result) => process.send?.(result),
    // Anything else would be taken for what the job makes.
    (error: unknown) => process.send?.(error instanceof Error ? error : new Error(String(error))),
  );
});
