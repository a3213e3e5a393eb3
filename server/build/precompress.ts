import { readdir, readFile, stat, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { compressed } from '../http/pages/compress.ts';

const compressible = /\.(html|js|css|svg|json|txt|xml|webmanifest|map)$/;

/** Writes `.br` and `.gz` beside each compressible file below `folders`, if they are smaller. */
export async function precompress(folders: string[]): Promise<void> {
  const paths = (await Promise.all(folders.map(filesBelow))).flat();
  await Promise.all(paths.filter((path) => compressible.test(path)).map(compress));
}

async function compress(path: string) {
  const source = await readFile(path);
  const { br, gzip } = await compressed(source);
  if (br.length < source.length) await writeFile(`${path}.br`, br);
  if (gzip.length < source.length) await writeFile(`${path}.gz`, gzip);
}

/** Lists all files below `folder`, as paths that start with it. */
async function filesBelow(folder: string): Promise<string[]> {
  const paths: string[] = [];
  for (const name of await readdir(folder, { recursive: true })) {
    const path = join(folder, name);
    if ((await stat(path)).isFile()) paths.push(path);
  }
  return paths;
}
