import { text } from 'node:stream/consumers';
import { generatePassword } from '../auth/first-password.ts';
import { hashPassword } from '../auth/password.ts';
import { readEnv } from '../env.ts';
import { leastLetters } from '../launch-check/password-strength.ts';
import { type Command, type Io, parse, printLine, Refusal, withStores } from './command.ts';
import { askHidden } from './hidden-input.ts';

export const password: Command = {
  name: 'password',
  takes: '[--generate]',
  summary: 'Sets a new admin password and signs every browser out.',
  details: [
    'Asks for the password without showing it, or reads it from standard input when that is piped.',
    '--generate  makes one up and prints it.',
  ],

  async run(args, io) {
    const { values, positionals } = parse({
      args,
      options: { generate: { type: 'boolean' } },
      allowPositionals: true,
    });
    if (positionals.length > 0) {
      throw new Refusal(
        'Please do not write the password into the command: it would stay in the shell’s history. ' +
          'Leave it out, and you will be asked for it.',
      );
    }
    if (readEnv(io.env).ADMIN_PASSWORD !== undefined) {
      throw new Refusal(
        'ADMIN_PASSWORD is set and would take over again at the next start. Please change it there.',
      );
    }
    const chosen = values.generate ? generatePassword() : await readPassword(io);
    if (chosen.length < leastLetters) {
      throw new Refusal(
        `Please use ${leastLetters} letters or more, such as a few words that only you put together. Nothing was changed.`,
      );
    }
    await withStores(io, async ({ auth }) =>
      auth.setPasswordHash(await hashPassword(chosen, io.price), io.now()),
    );
    if (values.generate) printLine(io.stdout, chosen);
    printLine(io.stderr, 'The new password is set, and every browser is signed out.');
  },
};

async function readPassword(io: Io): Promise<string> {
  return io.stdin.isTTY ? askTwice(io) : readLine(io);
}

async function askTwice(io: Io): Promise<string> {
  const [first, second] = await askHidden(['New admin password: ', 'Once more: '], io);
  if (first === undefined || second === undefined) throw new Refusal('Nothing was changed.');
  if (first === '') throw new Refusal('A password cannot be empty. Nothing was changed.');
  if (first !== second) throw new Refusal('These are two passwords. Nothing was changed.');
  return first;
}

async function readLine(io: Io): Promise<string> {
  const line = (await text(io.stdin)).replace(/\r?\n$/, '');
  if (line === '') throw new Refusal('No password came by standard input. Nothing was changed.');
  if (/[\r\n]/.test(line)) {
    throw new Refusal('More than one line came by standard input. Nothing was changed.');
  }
  return line;
}
