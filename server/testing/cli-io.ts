/** For tests: runs commands of the owner's command line on a temporary data folder. */
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Readable, Writable } from 'node:stream';
import type { SiteConfig } from '../../site.defaults.ts';
import { withStores } from '../cli/command.ts';
import { run } from '../cli/run.ts';
import type { StripeEndpoint } from '../sales/stripe/api.ts';
import type { Stores } from '../stores/stores.ts';
import { migratedSchema } from './postgres/shared.ts';
import { site as sample } from './sample-config.ts';

interface Outcome {
  code: number;
  out: string;
  err: string;
}

export interface TestOwner {
  /** The data folder, and the folder that file arguments are relative to. */
  folder: string;
  /** The environment variables of every command. */
  settings: Record<string, string>;
  /** Runs `npm run admin -- <args>`. */
  admin(args: string[], options?: RunOptions): Promise<Outcome>;
  /** Opens the stores, calls `use` and closes them. */
  inside<T>(use: (stores: Stores, config: SiteConfig) => Promise<T>): Promise<T>;
  remove(): Promise<void>;
}

interface RunOptions {
  stdin?: Readable & { isTTY?: boolean };
  env?: Record<string, string>;
  stripeEndpoint?: StripeEndpoint;
}

/** The time at which commands run, milliseconds since 1970, UTC. */
export const now = Date.UTC(2026, 10, 21, 2, 30);

/** Both database engines: the settings that select one, and how to remove its database. */
export const engines: { name: string; create(): Promise<EngineDatabase> }[] = [
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

interface EngineDatabase {
  settings: Record<string, string>;
  remove(): Promise<void>;
}

export async function createOwner(engine = engines[0]): Promise<TestOwner> {
  const folder = await mkdtemp(join(tmpdir(), 'shingle-cli-'));
  const database = await engine?.create();
  const ioOf = (
    stdout: Writable,
    stderr: Writable,
    { stdin, env, stripeEndpoint }: RunOptions = {},
  ) => ({
    env: { DATA_DIR: folder, ...database?.settings, ...env },
    file: sample,
    folder,
    stdin: stdin ?? Readable.from([]),
    stdout,
    stderr,
    now: () => now,
    hashCost: { cost: 10, rounds: 1 },
    stripeEndpoint,
  });
  return {
    folder,
    settings: { DATA_DIR: folder, ...database?.settings },
    async admin(args, options) {
      const [out, err] = [createSink(), createSink()];
      const code = await run(args, ioOf(out.stream, err.stream, options));
      return { code, out: out.text(), err: err.text() };
    },
    inside: (use) => withStores(ioOf(createSink().stream, createSink().stream), use),
    async remove() {
      await rm(folder, { recursive: true });
      await database?.remove();
    },
  };
}

/** A stream that collects what is written to it. */
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
