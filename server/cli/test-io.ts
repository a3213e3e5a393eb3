/** For tests: a world for verbs, on a data folder of its own. */
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Readable, Writable } from 'node:stream';
import { run } from './run.ts';
import { type Stores, withStores } from './verb.ts';

interface Outcome {
  code: number;
  out: string;
  err: string;
}

export interface TestOwner {
  /** The data folder, which is also where the owner stands. */
  folder: string;
  /** Types `npm run admin -- <args>`. */
  admin(args: string[], options?: Typing): Promise<Outcome>;
  /** Looks into the database, or changes it. */
  inside<T>(job: (stores: Stores) => Promise<T>): Promise<T>;
  remove(): Promise<void>;
}

interface Typing {
  stdin?: Readable & { isTTY?: boolean };
  env?: Record<string, string>;
}

export const now = Date.UTC(2026, 10, 21, 2, 30);

export async function createOwner(): Promise<TestOwner> {
  const folder = await mkdtemp(join(tmpdir(), 'shingle-cli-'));
  const ioOf = (stdout: Writable, stderr: Writable, { stdin, env }: Typing = {}) => ({
    env: { DATA_DIR: folder, ...env },
    folder,
    stdin: stdin ?? Readable.from([]),
    stdout,
    stderr,
    now: () => now,
  });
  return {
    folder,
    async admin(args, options) {
      const [out, err] = [createSink(), createSink()];
      const code = await run(args, ioOf(out.stream, err.stream, options));
      return { code, out: out.text(), err: err.text() };
    },
    inside: (job) => withStores(ioOf(createSink().stream, createSink().stream), job),
    remove: () => rm(folder, { recursive: true }),
  };
}

function createSink() {
  const chunks: Buffer[] = [];
  const stream = new Writable({
    write(chunk: Buffer, _encoding, done) {
      chunks.push(chunk);
      done();
    },
  });
  return { stream, text: () => Buffer.concat(chunks).toString() };
}
