/** The program that draws pictures. A thread would leave a hundred megabytes of the compiler's memory to the server. */
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { brotliDecompressSync } from 'node:zlib';
import { configVariable } from '../contract/pages.ts';
import type { Pictures } from '../contract/pictures.ts';
import { openArtist } from './draw.ts';

export interface DrawJob {
  /** The folder of the renderer's bundle. */
  folder: string;
  config: object;
  /** The addresses of the pictures to draw. */
  addresses: string[];
}

async function draw({ folder, config, addresses }: DrawJob): Promise<Record<string, Buffer>> {
  // The bundle reads the config when it loads.
  Object.assign(globalThis, { [configVariable]: config });
  const { pictures }: { pictures: Pictures } = await import(
    /* @vite-ignore */ pathToFileURL(join(folder, 'renderer.js')).href
  );
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

// The server has stopped.
process.once('disconnect', () => process.exit());
process.once('message', (job: DrawJob) => {
  draw(job).then(
    (files) => process.send?.(files),
    (error: unknown) => process.send?.(error),
  );
});
