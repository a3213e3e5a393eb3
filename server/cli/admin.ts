/** `npm run admin`: the owner's command line. */
import { run } from './run.ts';

// Whatever is written here is its owner's alone, also in a folder that others may read.
process.umask(0o077);

// Whoever reads our output may stop early (`… | head`); that is no error.
process.stdout.on('error', (error: NodeJS.ErrnoException) => {
  if (error.code !== 'EPIPE') throw error;
  process.exit(0);
});

process.exitCode = await run(process.argv.slice(2), {
  env: process.env,
  // npm moves to the project's folder first; files are meant from where the owner stood.
  folder: process.env.INIT_CWD ?? process.cwd(),
  stdin: process.stdin,
  stdout: process.stdout,
  stderr: process.stderr,
  now: Date.now,
});
