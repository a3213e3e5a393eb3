/** The backup of the night, made by a process of its own: it takes seconds that no visitor shall wait. */
import { execFile } from 'node:child_process';
import { setPriority } from 'node:os';

/** Longest time one may take, in milliseconds. */
const patience = 60 * 60_000;

/** Less than everything else the machine does. */
const low = 10;

/**
 * Makes the function that runs `program` (the owner's command line) for the backup of a night. It throws
 * with the sentence that the program ends with.
 */
export function backupBy(program: string, folder: string) {
  return (signal: AbortSignal): Promise<void> =>
    new Promise((resolve, reject) => {
      const child = execFile(
        process.execPath,
        [program, 'backup', '--nightly'],
        { env: { ...process.env, DATA_DIR: folder }, signal, timeout: patience },
        (error, _out, told) => {
          if (!error) return resolve();
          reject(new Error(told.trim().split('\n').at(-1) || error.message));
        },
      );
      if (child.pid === undefined) return;
      try {
        setPriority(child.pid, low);
      } catch {
        // It is over already, or may not be moved.
      }
    });
}
