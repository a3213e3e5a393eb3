/** Makes the nightly backup in a child process, because it would block the event loop for seconds. */
import { execFile } from 'node:child_process';
import { setPriority } from 'node:os';

/** Timeout of a backup, in ms. */
const timeoutMs = 60 * 60_000;

/** Nice value of the child process: lower priority than the site. */
const niceness = 10;

/**
 * Creates the function that makes the nightly backup with `program` (the admin command line). It rejects
 * with the last line that the program writes to stderr.
 */
export function backupBy(program: string, folder: string) {
  return (signal: AbortSignal): Promise<void> =>
    new Promise((resolve, reject) => {
      const child = execFile(
        process.execPath,
        [program, 'backup', '--nightly'],
        { env: { ...process.env, DATA_DIR: folder }, signal, timeout: timeoutMs },
        (error, _stdout, stderr) => {
          if (!error) return resolve();
          reject(new Error(stderr.trim().split('\n').at(-1) || error.message));
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
