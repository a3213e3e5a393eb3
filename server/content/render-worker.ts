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
}

interface Renderer {
  renderSite(assets: unknown, app: string): RenderedSite;
  renderPage(name: DocumentName, assets: unknown): string;
}

const { folder, config, photos, preview }: RenderJob = workerData;
// The bundle reads the config when it loads.
Object.assign(globalThis, {
  [configVariable]: preview ? withMarks(config, preview.fields) : config,
});
const renderer: Renderer = await import(
  /* @vite-ignore */ pathToFileURL(join(folder, 'renderer.js')).href
);
const { assets, app } = JSON.parse(readFileSync(join(folder, 'assets.json'), 'utf8'));
const made = { ...photos, ...assets.photos };
parentPort?.postMessage(
  preview
    ? withFields(
        renderer.renderPage(preview.page, { ...assets, photos: withPhotoMarks(made) }),
        preview.fields,
      )
    : renderer.renderSite({ ...assets, photos: made }, app),
);
