/** Makes backups in a child process, because one would block the event loop for seconds. */
import { execFile } from 'node:child_process';
import { setPriority } from 'node:os';
import { hourMs } from '../../time/units.ts';

/** Timeout of a backup, in ms. */
const timeoutMs = hourMs;

/** Nice value of the child process: lower priority than the site. */
const niceness = 10;

/**
 * Creates the function that runs the command `backup` of `program` (the admin command line) with an argument:
 * a file, or `--nightly`. It rejects with the last line that the program writes to stderr.
 */
export function backupBy(program: string, folder: string) {
  return (argument: string, signal: AbortSignal): Promise<void> =>
    new Promise((resolve, reject) => {
      const child = execFile(
        process.execPath,
        [program, 'backup', argument],
        { env: { ...process.env, DATA_DIR: folder }, signal, timeout: timeoutMs },
        (error, _stdout, stderr) => {
          if (!error) return resolve();
          const fail = () => reject(new Error(stderr.trim().split('\n').at(-1) || error.message));
          // An aborted process may still write until it has ended.
          const hasEnded = child.exitCode !== null || child.signalCode !== null;
          if (hasEnded || child.pid === undefined) fail();
          else child.once('exit', fail);
        },
      );
      if (child.pid === undefined) return;
      try {
        setPriority(child.pid, niceness);
      } catch {
        // The child has exited already, or the system does not allow it.
      }
    });
}
