/** The interface of an `npm run admin` command, and what the commands share. */

import type { Readable, Writable } from 'node:stream';
import { type ParseArgsConfig, parseArgs } from 'node:util';
import type { SiteConfig } from '../../site.defaults.ts';
import type { HashCost } from '../auth/password.ts';
import { liveConfig } from '../content/live.ts';
import { formatNumber } from '../contract/numbers.ts';
import { isFolderShared } from '../database/sqlite/folder-lock.ts';
import { readEnv } from '../env.ts';
import { AppError } from '../errors.ts';
import type { StripeEndpoint } from '../sales/stripe/api.ts';
import { prepareFolder } from '../stores/data-folder.ts';
import { openStores, type Stores } from '../stores/stores.ts';

/** The environment of a command, which tests replace. */
export interface Io {
  env: Record<string, string | undefined>;
  /** The config of `site.config.ts`. */
  file: SiteConfig;
  /** The folder that file arguments are relative to: where the owner ran npm. */
  folder: string;
  stdin: Readable & { isTTY?: boolean };
  stdout: Writable & { isTTY?: boolean };
  stderr: Writable;
  /** Milliseconds since 1970, UTC. */
  now: () => number;
  /** The cost of hashing a password; tests set a lower one than the default. */
  hashCost?: HashCost;
  /** Replaces Stripe's own address in tests. */
  stripeEndpoint?: StripeEndpoint | undefined;
}

export interface Command {
  /** One or two words, as typed. */
  name: string;
  /** Its arguments and options, for the help. */
  usage: string;
  /** One line for the help. */
  summary: string;
  /** Further lines for the command's own help. */
  details: string[];
  /** Throws `COMMAND_FAILED` with a sentence for the owner when it fails. */
  run(args: string[], io: Io): Promise<void>;
}

/**
 * Opens the stores, calls `use` with the config that the site shows, and closes them afterwards, also after an error. Throws `OTHER_SCHEMA` when a
 * site of an earlier version runs on a SQLite file: it could not go on after an update of the database.
 */
export async function withStores<T>(
  io: Io,
  use: (stores: Stores, config: SiteConfig) => Promise<T>,
): Promise<T> {
  const env = readEnv(io.env);
  if (env.DATABASE_URL === undefined) prepareFolder(env.DATA_DIR);
  const isShared = env.DATABASE_URL === undefined && isFolderShared(env.DATA_DIR);
  const stores = await openStores(env, {}, { updates: !isShared });
  try {
    const isPinned = env.SITE_CONTENT === 'file';
    const config = await liveConfig({ store: stores.content, file: io.file, isPinned });
    return await use(stores, config);
  } finally {
    await stores.close();
  }
}

/** A sentence for the owner on how to run `command` on an empty database instead. */
export function emptyDatabaseHint(io: Io, command: string): string {
  return readEnv(io.env).DATABASE_URL === undefined
    ? `Please use another folder: DATA_DIR=./${command}`
    : 'Please set DATABASE_URL to an empty database, or unset it and use a folder: ' +
        `DATA_DIR=./${command}`;
}

/** `parseArgs`, whose errors become a `COMMAND_FAILED` of one line. */
export function parse<T extends ParseArgsConfig>(config: T): ReturnType<typeof parseArgs<T>> {
  try {
    return parseArgs(config);
  } catch (error) {
    const [sentence] = error instanceof Error ? error.message.split(/\.\s/, 1) : [];
    throw new AppError('COMMAND_FAILED', `${sentence}. See the command’s --help.`);
  }
}

/** Parses an option as a whole number between `min` and `max`; throws `COMMAND_FAILED` otherwise. */
export function wholeNumber(
  text: string,
  { name, min, max }: { name: string; min: number; max: number },
): number {
  const number = /^\d{1,15}$/.test(text) ? Number(text) : Number.NaN;
  if (number >= min && number <= max) return number;
  throw new AppError(
    'COMMAND_FAILED',
    `${name} must be a whole number from ${formatNumber(min)} to ${formatNumber(max)}, not "${text}".`,
  );
}

export const printLine = (to: Writable, line = '') => void to.write(`${line}\n`);
