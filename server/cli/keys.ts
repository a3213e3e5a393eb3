/** The owner's API keys for other programs. */
import { type Scope, scopes } from '../contract/scopes.ts';
import { readEnv } from '../env.ts';
import { AppError } from '../errors.ts';
import { type ApiKey, type ApiKeys, createApiKeys, idLength } from '../keys/api-keys.ts';
import { inLine } from '../text/printable.ts';
import { type Command, type Io, parse, pluralize, printLine, withStores } from './command.ts';
import { localTime } from './local-time.ts';

export const keysCreate: Command = {
  name: 'keys create',
  usage: '<name> <scope> …',
  summary: 'Creates an API key for another program and prints it once.',
  details: [
    `The scopes say what the key may do: ${scopes.join(', ')}.`,
    'npm run --silent admin -- keys create Spreadsheet read:analytics read:bookings',
    'Keep the key secret. Other programs send it as Authorization: Bearer (docs/api.md).',
  ],

  async run(args, io) {
    const [typed = '', ...given] = parse({ args, allowPositionals: true }).positionals;
    const name = typed.trim();
    const unknown = given.find((scope) => !isScope(scope));
    if (name === '' || given.length === 0 || unknown !== undefined) {
      const found = unknown === undefined ? '' : ` There is no scope "${inLine(unknown)}".`;
      throw new AppError(
        'COMMAND_FAILED',
        `Please give a name and one or more of the scopes ${scopes.join(', ')}.${found}`,
      );
    }
    const { id, key } = await withKeys(io, (keys) =>
      keys.create({ name, scopes: given.filter(isScope) }),
    );
    printLine(io.stdout, key);
    printLine(
      io.stderr,
      `Copy this key now: it is not shown again. To revoke it: npm run admin -- keys revoke ${id}`,
    );
  },
};

export const keysList: Command = {
  name: 'keys list',
  usage: '',
  summary: 'Lists the API keys with their scopes and their last use.',
  details: ['It shows the first characters of each key, which `keys revoke` takes.'],

  async run(args, io) {
    parse({ args, options: {} });
    const list = await withKeys(io, (keys) => keys.list());
    for (const key of list) {
      printLine(io.stdout, key.isInEnvironment ? key.id : `${key.id}…  ${inLine(key.name)}`);
      printLine(io.stdout, `  ${key.scopes.join(', ')}`);
      printLine(io.stdout, `  ${historyOf(key)}`);
    }
    printLine(
      io.stdout,
      list.length === 0 ? 'There is no API key.' : `${pluralize(list.length, 'API key')}.`,
    );
  },
};

export const keysRevoke: Command = {
  name: 'keys revoke',
  usage: '<key>',
  summary: 'Revokes an API key at once.',
  details: ['<key> is the whole key, or its first characters as `keys list` shows them.'],

  async run(args, io) {
    const [key, ...rest] = parse({ args, allowPositionals: true }).positionals;
    if (key === undefined || rest.length > 0) {
      throw new AppError('COMMAND_FAILED', 'Please give one key, or its first characters.');
    }
    const isRevoked = await withKeys(io, (keys) => keys.revoke(key.slice(0, idLength)));
    if (!isRevoked) {
      throw new AppError(
        'COMMAND_FAILED',
        'There is no such API key here. npm run admin -- keys list shows the keys. A key of the environment ends when you change CONVERSION_KEY and restart the site.',
      );
    }
    printLine(io.stdout, 'The API key was revoked. Programs that send it get 401.');
  },
};

const withKeys = <T>(io: Io, use: (keys: ApiKeys) => Promise<T>): Promise<T> =>
  withStores(io, ({ keys: store }) =>
    use(createApiKeys({ store, conversionKey: readEnv(io.env).CONVERSION_KEY, now: io.now })),
  );

const isScope = (text: string): text is Scope => scopes.some((scope) => scope === text);

function historyOf({ createdAt, usedAt, isInEnvironment }: ApiKey): string {
  if (isInEnvironment) return 'set in the environment';
  const created = createdAt === null ? '' : `created ${localTime.format(createdAt)}, `;
  // Stored at most once an hour.
  return `${created}${usedAt === null ? 'never used' : `last used ${localTime.format(usedAt)}, or up to an hour later`}`;
}
