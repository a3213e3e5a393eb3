/** For tests: a world for verbs, on a data folder of its own. */
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Readable, Writable } from 'node:stream';
import { type Stores, withStores } from '../cli/command.ts';
import { run } from '../cli/run.ts';
import { migratedSchema } from './postgres/shared.ts';

interface Outcome {
  code: number;
  out: string;
  err: string;
}

export interface TestOwner {
  /** The data folder, which is also where the owner stands. */
  folder: string;
  /** What every command finds in the environment. */
  settings: Record<string, string>;
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

/** Where an owner's site can be kept: what is in the environment, and what takes it away again. */
export const engines: { name: string; create(): Promise<OwnDatabase> }[] = [
  { name: 'SQLite', create: async () => ({ settings: {}, remove: async () => {} }) },
  {
    name: 'PostgreSQL',
    async create() {
      const { url, remove } = await migratedSchema();
      const settings = { DATABASE_URL: url, SESSION_SECRET: 'secret of every instance' };
      return { settings, remove };
    },
  },
];

interface OwnDatabase {
  settings: Record<string, string>;
  remove(): Promise<void>;
}

export async function createOwner(engine = engines[0]): Promise<TestOwner> {
  const folder = await mkdtemp(join(tmpdir(), 'shingle-cli-'));
  const database = await engine?.create();
  const ioOf = (stdout: Writable, stderr: Writable, { stdin, env }: Typing = {}) => ({
    env: { DATA_DIR: folder, ...database?.settings, ...env },
    folder,
    stdin: stdin ?? Readable.from([]),
    stdout,
    stderr,
    now: () => now,
    price: { cost: 10, rounds: 1 },
  });
  return {
    folder,
    settings: { DATA_DIR: folder, ...database?.settings },
    async admin(args, options) {
      const [out, err] = [createSink(), createSink()];
      const code = await run(args, ioOf(out.stream, err.stream, options));
      return { code, out: out.text(), err: err.text() };
    },
    inside: (job) => withStores(ioOf(createSink().stream, createSink().stream), job),
    async remove() {
      await rm(folder, { recursive: true });
      await database?.remove();
    },
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
