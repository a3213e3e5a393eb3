import { readdir, readFile, stat, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { brotliCompress, constants, gzip } from 'node:zlib';

const compressible = /\.(html|js|css|svg|json|txt|xml|webmanifest|map)$/;
const brotli = promisify(brotliCompress);
const gz = promisify(gzip);

/** Writes `.br` and `.gz` beside each compressible file below `folders`, unless it would not shrink. */
export async function precompress(folders: string[]): Promise<void> {
  const paths = (await Promise.all(folders.map(filesBelow))).flat();
  await Promise.all(paths.filter((path) => compressible.test(path)).map(compress));
}

async function compress(path: string) {
  const source = await readFile(path);
  const [br, gzipped] = await Promise.all([
    brotli(source, {
      params: {
        [constants.BROTLI_PARAM_QUALITY]: constants.BROTLI_MAX_QUALITY,
        [constants.BROTLI_PARAM_SIZE_HINT]: source.length,
      },
    }),
    gz(source, { level: constants.Z_BEST_COMPRESSION }),
  ]);
  if (br.length < source.length) await writeFile(`${path}.br`, br);
  if (gzipped.length < source.length) await writeFile(`${path}.gz`, gzipped);
}

/** Every file below `folder`, as paths that start with it. */
async function filesBelow(folder: string): Promise<string[]> {
  const paths: string[] = [];
  for (const name of await readdir(folder, { recursive: true })) {
    const path = join(folder, name);
    if ((await stat(path)).isFile()) paths.push(path);
  }
  return paths;
}
