/** The worker thread that renders one site: no state of it survives, and nothing it does can stop the server. */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { parentPort, workerData } from 'node:worker_threads';
import { configVariable, type DocumentName, type RenderedSite } from '../contract/pages.ts';
import type { MadePhoto } from '../contract/photos.ts';
import { withFields, withMarks, withPhotoMarks } from './marks.ts';

export interface RenderJob {
  /** The folder of the renderer's bundle. */
  folder: string;
  config: object;
  /** The uploaded photos that the config names, by their addresses. */
  photos: Record<string, MadePhoto>;
  /** Renders this page alone, in which `data-field` names the field of each of these texts and photos. */
  preview?: { page: DocumentName; fields: string[] } | undefined;
  /** Makes the texts that scripts load of these configs, and no page. */
  words?: readonly object[] | undefined;
}

interface Renderer {
  renderSite(assets: unknown, app: string): RenderedSite;
  renderPage(name: DocumentName, assets: unknown): string;
  renderWords(configs: readonly object[], assets: unknown): RenderedSite['files'];
}

const { folder, config, photos, preview, words }: RenderJob = workerData;
// The bundle reads the config when it loads.
Object.assign(globalThis, {
  [configVariable]: preview ? withMarks(config, preview.fields) : config,
});
const renderer: Renderer = await import(
  /* @vite-ignore */ pathToFileURL(join(folder, 'renderer.js')).href
);
const { assets, app } = JSON.parse(readFileSync(join(folder, 'assets.json'), 'utf8'));
const made = { ...photos, ...assets.photos };
function result() {
  if (words) return renderer.renderWords(words, assets);
  if (!preview) return renderer.renderSite({ ...assets, photos: made }, app);
  const { page, fields } = preview;
  return withFields(renderer.renderPage(page, { ...assets, photos: withPhotoMarks(made) }), fields);
}
parentPort?.postMessage(result());
