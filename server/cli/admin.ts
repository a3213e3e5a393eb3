/** Entry point of `npm run admin`, the owner's command line. */
import { site as file } from '../../site.config.ts';
import { run } from './run.ts';

// Files are readable for the owner only, also in a folder that other users may read.
process.umask(0o077);

// EPIPE is no error: the reader of a pipe may stop early, as in `… | head`.
process.stdout.on('error', (error: NodeJS.ErrnoException) => {
  if (error.code !== 'EPIPE') throw error;
  process.exit(0);
});

process.exitCode = await run(process.argv.slice(2), {
  env: process.env,
  file,
  // npm changes to the project's folder, but file arguments are relative to where the owner ran it.
  folder: process.env.INIT_CWD ?? process.cwd(),
  stdin: process.stdin,
  stdout: process.stdout,
  stderr: process.stderr,
  now: Date.now,
});
