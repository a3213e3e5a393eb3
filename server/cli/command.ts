/** What a verb of the owner's command line is, and what it may touch. */
import type { Readable, Writable } from 'node:stream';
import { type ParseArgsConfig, parseArgs } from 'node:util';
import { prepareFolder } from '../app/data-folder.ts';
import { openStores, type Stores } from '../app/stores.ts';
import type { Price } from '../auth/password.ts';
import { readEnv } from '../env.ts';

/** The world around a verb, so that tests can be one. */
export interface Io {
  env: Record<string, string | undefined>;
  /** Files are named from here: where the owner stood when typing. */
  folder: string;
  stdin: Readable & { isTTY?: boolean };
  stdout: Writable & { isTTY?: boolean };
  stderr: Writable;
  /** Milliseconds since 1970, UTC. */
  now: () => number;
  /** What hashing a password costs; less than the default is for tests. */
  price?: Price;
}

export interface Command {
  /** As typed: one word or two. */
  name: string;
  /** What may follow it, for the help. */
  takes: string;
  /** What it does, in one line. */
  summary: string;
  /** More lines for its own help. */
  details: string[];
  /** Does it. Throws `Refusal` when it cannot. */
  run(args: string[], io: Io): Promise<void>;
}

/** Ends the program with this sentence and exit code 1. */
export class Refusal extends Error {}

export type { Stores };

/** Opens the stores for `job` and closes them after it, whatever happens. */
export async function withStores<T>(io: Io, job: (stores: Stores) => Promise<T>): Promise<T> {
  const env = readEnv(io.env);
  if (env.DATABASE_URL === undefined) prepareFolder(env.DATA_DIR);
  const stores = await openStores(env);
  try {
    return await job(stores);
  } finally {
    await stores.close();
  }
}

/** How a command is typed that works in an empty place beside the one of now. */
export function elsewhere(io: Io, command: string): string {
  return readEnv(io.env).DATABASE_URL === undefined
    ? `Please use another folder: DATA_DIR=./${command}`
    : 'Please name an empty database in DATABASE_URL, or leave it out and use a folder: ' +
        `DATA_DIR=./${command}`;
}

/** `parseArgs`, whose complaints become one sentence. */
export function parse<T extends ParseArgsConfig>(config: T): ReturnType<typeof parseArgs<T>> {
  try {
    return parseArgs(config);
  } catch (error) {
    const [sentence] = error instanceof Error ? error.message.split(/\.\s/, 1) : [];
    throw new Refusal(`${sentence}. The verb’s --help says what it takes.`);
  }
}

/** A whole number between `min` and `max`, as an option gives it. */
export function wholeNumber(
  text: string,
  { name, min, max }: { name: string; min: number; max: number },
): number {
  const number = /^\d{1,15}$/.test(text) ? Number(text) : Number.NaN;
  if (number >= min && number <= max) return number;
  throw new Refusal(
    `${name} must be a whole number from ${grouped(min)} to ${grouped(max)}, not "${text}".`,
  );
}

/** 1234567 as 1,234,567. */
export const grouped = (n: number) => n.toLocaleString('en-US');

/** `1 sale`, `2 sales`. */
export const counted = (n: number, one: string, many = `${one}s`) =>
  `${grouped(n)} ${n === 1 ? one : many}`;

export const printLine = (to: Writable, line = '') => void to.write(`${line}\n`);
