import { text } from 'node:stream/consumers';
import { hashPassword } from '../auth/password.ts';
import { weaknessOf, wordsOf } from '../contract/password-strength.ts';
import { randomSecret } from '../contract/random-secret.ts';
import { readEnv } from '../env.ts';
import { AppError } from '../errors.ts';
import { type Command, type Io, parse, printLine, withStores } from './command.ts';
import { promptHidden } from './hidden-input.ts';

export const password: Command = {
  name: 'password',
  usage: '[--generate]',
  summary: 'Sets a new admin password and signs every browser out.',
  details: [
    'Prompts for the password without showing it, or reads it from standard input when that is a pipe.',
    '--generate  makes one up and prints it.',
  ],

  async run(args, io) {
    const { values, positionals } = parse({
      args,
      options: { generate: { type: 'boolean' } },
      allowPositionals: true,
    });
    if (positionals.length > 0) {
      throw new AppError(
        'COMMAND_FAILED',
        'Please do not write the password into the command: it would stay in the shell’s history. ' +
          'Leave it out, and the command prompts for it.',
      );
    }
    if (readEnv(io.env).ADMIN_PASSWORD !== undefined) {
      throw new AppError(
        'COMMAND_FAILED',
        'ADMIN_PASSWORD is set and would replace the new password at the next start. ' +
          'Please change it there.',
      );
    }
    const chosen = values.generate ? randomSecret() : await readPassword(io);
    await withStores(io, async ({ auth }, { brand }) => {
      const weakness = weaknessOf(chosen, wordsOf(brand.name));
      if (weakness) {
        throw new AppError(
          'COMMAND_FAILED',
          `The password ${weakness}. Use four or five random words. Nothing was changed.`,
        );
      }
      await auth.setPasswordHash(await hashPassword(chosen, io.hashCost), io.now());
    });
    if (values.generate) printLine(io.stdout, chosen);
    printLine(io.stderr, 'The new password is set, and every browser is signed out.');
  },
};

async function readPassword(io: Io): Promise<string> {
  return io.stdin.isTTY ? promptTwice(io) : readLine(io);
}

async function promptTwice(io: Io): Promise<string> {
  const [first, second] = await promptHidden(['New admin password: ', 'Once more: '], io);
  if (first === undefined || second === undefined)
    throw new AppError('COMMAND_FAILED', 'Nothing was changed.');
  if (first === '')
    throw new AppError('COMMAND_FAILED', 'A password cannot be empty. Nothing was changed.');
  if (first !== second)
    throw new AppError('COMMAND_FAILED', 'The passwords do not match. Nothing was changed.');
  return first;
}

async function readLine(io: Io): Promise<string> {
  const line = (await text(io.stdin)).replace(/\r?\n$/, '');
  if (line === '') {
    throw new AppError('COMMAND_FAILED', 'Standard input holds no password. Nothing was changed.');
  }
  if (/[\r\n]/.test(line)) {
    throw new AppError(
      'COMMAND_FAILED',
      'Standard input holds more than one line. Nothing was changed.',
    );
  }
  return line;
}
