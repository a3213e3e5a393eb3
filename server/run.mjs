/**
 * Runs one program of the built server (`main`, `admin`, `launch-check`), building first when the build is missing
 * or older than the sources. Plain JavaScript, since Node 20 does not read TypeScript.
 */
import { existsSync } from 'node:fs';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { isFresh } from './build/stamp.mjs';
import { dropRoot } from './drop-root.mjs';

const root = fileURLToPath(new URL('..', import.meta.url));
const program = process.argv[2] ?? 'main';

process.chdir(root);
// Also when the caller's differs, because this build is served.
process.env.NODE_ENV = 'production';
if (existsSync('.env')) process.loadEnvFile('.env');
// The container image sets it.
if (process.env.RUN_AS) dropRoot(Number(process.env.RUN_AS), process.env.DATA_DIR || 'data');

if (!isFresh('dist')) {
  console.error('Building the site (this happens when something in it has changed) …');
  try {
    const { createBuilder } = await import('vite');
    const builder = await createBuilder({ logLevel: 'warn' }, null);
    await builder.buildApp();
  } catch (error) {
    const sentence = sentenceFor(error);
    // A failed build must not prevent signing out a lost device.
    const canUsePrevious = program === 'admin' && existsSync('dist/server/admin.js');
    if (sentence === undefined && !canUsePrevious) throw error;
    console.error(sentence ?? error);
    if (!canUsePrevious) process.exit(1);
    console.error('Using the previous build.');
  }
}

if (program !== '--build-only') {
  process.argv.splice(2, 1);
  await import(pathToFileURL(`dist/server/${program}.js`).href);
}

/**
 * @param {unknown} error Why there is no new build.
 * @returns {string | undefined} Undefined for unexpected errors.
 */
function sentenceFor(error) {
  if (!(error instanceof Error)) return undefined;
  // Mistakes in the config are printed as sentences, without a stack trace.
  if (error.name === 'SiteMistakes') return error.message;
  const code = 'code' in error ? error.code : undefined;
  // `npm ci --omit=dev` runs an existing build only.
  if (code === 'ERR_MODULE_NOT_FOUND') {
    return 'Packages of the build are missing. Run: npm ci --include=dev';
  }
  // Such as the user of the service, in a folder of root.
  if (code === 'EACCES' || code === 'EROFS') {
    return `This user may not write to ${root}. Run npm run build as the owner of that folder.`;
  }
  return undefined;
}
