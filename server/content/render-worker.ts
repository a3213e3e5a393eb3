/** The worker thread that renders one site: no state of it survives, and nothing it does can stop the server. */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { parentPort, workerData } from 'node:worker_threads';
import { configVariable, type RenderedSite } from '../contract/pages.ts';

const { folder, config } = workerData;
Object.assign(globalThis, { [configVariable]: config });
const renderer: { renderSite(assets: unknown, app: string): RenderedSite } = await import(
  /* @vite-ignore */ pathToFileURL(join(folder, 'renderer.js')).href
);
const { assets, app } = JSON.parse(readFileSync(join(folder, 'assets.json'), 'utf8'));
parentPort?.postMessage(renderer.renderSite(assets, app));
