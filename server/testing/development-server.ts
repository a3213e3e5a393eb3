/** For tests: `npm run dev` on a copy of the project. */
import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { rmSync } from 'node:fs';
import { join } from 'node:path';
import { freePort } from './free-port.ts';
import { copyProject } from './project-copy.ts';

export interface DevelopmentServer {
  origin: string;
  folder: string;
  child: ChildProcess;
  /** Ends the process and deletes the folder. */
  stop(): Promise<void>;
}

/** Starts the server, and resolves before it listens. */
export async function startDevelopmentServer(): Promise<DevelopmentServer> {
  const folder = copyProject();
  const port = await freePort();
  const child = spawn(process.execPath, ['node_modules/vite/bin/vite.js', '--host', 'localhost'], {
    cwd: folder,
    env: {
      PATH: process.env.PATH,
      NO_COLOR: '1',
      PORT: `${port}`,
      DATA_DIR: join(folder, 'data'),
    },
  });
  const exit = once(child, 'exit');
  return {
    origin: `http://localhost:${port}`,
    folder,
    child,
    async stop() {
      child.kill();
      await exit;
      rmSync(folder, { recursive: true });
    },
  };
}
