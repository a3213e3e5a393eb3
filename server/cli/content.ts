/** Commands for the site's document: export, import, and back to `site.config.ts`. */
import { existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { basename, dirname, extname, join, resolve } from 'node:path';
import { recipientMistakes } from '../app/mail.ts';
import { configText, readConfigText } from '../content/config-file.ts';
import { complete, configOf, exported, filesOf, mistakesIn } from '../content/document.ts';
import { fieldComments } from '../content/field-comments.ts';
import { type PhotoStore, uploadsIn } from '../content/photos.ts';
import { type Env, readEnv } from '../env.ts';
import { AppError, codeOf } from '../errors.ts';
import { type Command, type Io, parse, printLine, withStores } from './command.ts';

export const contentExport: Command = {
  name: 'content export',
  usage: '<file>',
  summary: 'Writes what the site says as a site.config.ts, with its comments.',
  details: [
    'An existing file is never overwritten.',
    'Uploaded photos are written to public/photos beside it, where a build and an import find them.',
  ],

  async run(args, io) {
    const file = fileIn(parse({ args, allowPositionals: true }).positionals, io);
    const isPinned = readEnv(io.env).SITE_CONTENT === 'file';
    const files = await withStores(io, async ({ content, photos }) => {
      const document = isPinned ? complete(io.file, io.file) : await content.liveDocument(io.file);
      const text = configText(exported(document), fieldComments);
      return [[file, text] as const, ...(await photoFiles(photos, document, folderOf(file)))];
    });
    for (const [path, content] of files) write(path, content);
    const others = files.length > 1 ? `, and its photos to ${folderOf(file)}` : '';
    printLine(io.stderr, `Written to ${file}${others}.`);
  },
};

export const contentImport: Command = {
  name: 'content import',
  usage: '<file> [--publish]',
  summary: 'Replaces the draft of the site by a site.config.ts.',
  details: [
    'The draft before stays in the history. The file is run, so import only files that you trust.',
    'Its photos are taken from public/photos beside it, unless the site has them.',
    '--publish  publishes it, unless it has mistakes',
  ],

  async run(args, io) {
    const { values, positionals } = parse({
      args,
      allowPositionals: true,
      options: { publish: { type: 'boolean' } },
    });
    const path = fileIn(positionals, io);
    const env = readEnv(io.env);
    requireBrowser(env);
    const document = complete(await readConfigText(readText(path)), io.file);
    if (!configOf(document)) {
      throw new AppError(
        'COMMAND_FAILED',
        `${path} is no site.config.ts of this version. Nothing was imported.`,
      );
    }
    await withStores(io, async ({ content, photos }) => {
      await addPhotos(photos, document, folderOf(path), io.now());
      const act = { file: io.file, now: io.now() };
      const revision = await content.replaceDraft({ ...act, document });
      if (!values.publish) return;
      const result = await content.publish({
        ...act,
        revision,
        // Who runs commands needs no password.
        isConfirmed: true,
        actOn: (changes) => ({
          ...{ at: io.now(), act: 'site_published', browser: null },
          detail: `${changes}, by npm run admin -- content import`,
        }),
        mistakesIn: (draft, photos) => [
          ...mistakesIn(draft, filesOf(io.file, isServed, photos)),
          ...recipientMistakes(env, draft),
        ],
        // The running site renders what it finds published.
        prepare: async () => {},
      });
      if (typeof result === 'string') {
        throw new AppError(
          'COMMAND_FAILED',
          'The draft was changed meanwhile. Please import again.',
        );
      }
      if ('mistakes' in result) {
        throw new AppError(
          'COMMAND_FAILED',
          [
            ...result.mistakes.map(({ path, message }) => `${path}: ${message}`),
            'The draft is stored, and was not published.',
          ].join('\n'),
        );
      }
    });
    printLine(
      io.stderr,
      values.publish
        ? 'It is published: a running site shows it within seconds.'
        : 'The draft is stored.',
    );
  },
};

export const contentUseFile: Command = {
  name: 'content use-file',
  usage: '',
  summary: 'Shows site.config.ts again in place of the published site.',
  details: ['The published versions stay in the history.'],

  async run(args, io) {
    parse({ args });
    await withStores(io, ({ content }) => content.useFile({ now: io.now() }));
    printLine(io.stderr, 'A running site shows site.config.ts within seconds.');
  },
};

function fileIn([file, ...others]: string[], io: Io): string {
  if (file !== undefined && others.length === 0) return resolve(io.folder, file);
  throw new AppError('COMMAND_FAILED', 'Please name one file.');
}

/** Where the photos of a `site.config.ts` are. */
const folderOf = (file: string) => join(dirname(file), 'public/photos');

/** The paths and bytes of the photos that a document names. A smaller size is `<name of the photo>-<own name>`. */
async function photoFiles({ photosIn, read }: PhotoStore, document: object, folder: string) {
  const found = [];
  for (const { address, files } of await photosIn(document)) {
    for (const file of files) {
      const prefix = file.address === address ? '' : sizePrefix(address);
      const path = join(folder, prefix + basename(file.address));
      const bytes = await read(file.address);
      // The name says what is in it, so a file that exists is the same.
      if (bytes && !existsSync(path)) found.push([path, bytes] as const);
    }
  }
  return found;
}

const sizePrefix = (address: string) => `${basename(address, extname(address))}-`;

/** Stores the photos of a document that `folder` has. */
async function addPhotos({ add }: PhotoStore, document: object, folder: string, now: number) {
  for (const address of uploadsIn(document)) {
    const names = existsSync(folder) ? readdirSync(folder) : [];
    const largest = basename(address);
    if (!names.includes(largest)) continue;
    const sizes = names.filter((name) => name.startsWith(sizePrefix(address)));
    for (const file of [largest, ...sizes]) {
      const of = file === largest ? undefined : address;
      const added = await add({ bytes: readFileSync(join(folder, file)), of, now });
      if (typeof added === 'object' && (of || added.address === address)) continue;
      throw new AppError(
        'COMMAND_FAILED',
        `${join(folder, file)} is another picture than its name says. Nothing was imported.`,
      );
    }
  }
}

function write(file: string, content: string | Buffer): void {
  try {
    mkdirSync(dirname(file), { recursive: true });
    writeFileSync(file, content, { flag: 'wx', mode: 0o600 });
  } catch (error) {
    throw new AppError('COMMAND_FAILED', `${file} was not written (${codeOf(error) ?? error}).`);
  }
}

function requireBrowser({ SITE_CONTENT }: Env): void {
  if (SITE_CONTENT !== 'file') return;
  throw new AppError(
    'COMMAND_FAILED',
    'SITE_CONTENT=file is set, so the site shows site.config.ts. Nothing was imported.',
  );
}

function readText(file: string): string {
  try {
    return readFileSync(file, 'utf8');
  } catch (error) {
    throw new AppError('COMMAND_FAILED', `${file} cannot be read (${codeOf(error) ?? error}).`);
  }
}

/** Whether there is a file at this path of the site, in the folder `public` or the build. */
const isServed = (path: string) =>
  ['public', 'dist/client'].some((folder) => existsSync(join(folder, path)));
