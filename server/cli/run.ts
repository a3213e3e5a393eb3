/** Finds the command, runs it, and prints errors as one line. */

import { readEnv } from '../env.ts';
import { AppError, codeOf } from '../errors.ts';
import { sentenceFor } from '../health/storage-errors.ts';
import { giveToOwner } from '../stores/data-folder.ts';
import { type Command, type Io, printLine } from './command.ts';
import { commands } from './commands.ts';

const program = 'npm run admin --';

/** Runs the arguments of `npm run admin --`; resolves with the exit code. */
export async function run(args: string[], io: Io): Promise<number> {
  try {
    await dispatch(args, io);
    return 0;
  } catch (error) {
    printLine(io.stderr, lineFor(error));
    return 1;
  }
}

async function dispatch(args: string[], io: Io): Promise<void> {
  // The longest name wins: `messages export` is not `messages` with an argument.
  const [command] = commands
    .filter(({ name }) => name.split(' ').every((word, i) => word === args[i]))
    .sort((a, b) => b.name.length - a.name.length);
  if (command) {
    const rest = args.slice(command.name.split(' ').length);
    if (asksForHelp(rest)) return print(io, helpOf(command));
    try {
      return await command.run(rest, io);
    } finally {
      giveFolder(io);
    }
  }
  const [first] = args;
  const group = commands.filter(({ name }) => name.startsWith(`${first} `));
  if (first === undefined || asksForHelp([first])) return print(io, overview(commands));
  if (group.length > 0 && asksForHelp(args)) return print(io, group.flatMap(helpOf));
  if (group.length > 0) {
    const names = group.map(({ name }) => `"${name}"`).join(' or ');
    throw new AppError(
      'COMMAND_FAILED',
      `Please say which: ${names}. ${program} ${first} --help describes them.`,
    );
  }
  throw new AppError(
    'COMMAND_FAILED',
    `There is no command "${first}". ${program} --help lists them.`,
  );
}

/** Prints an error as a warning, so that it does not replace the result of the command. */
function giveFolder(io: Io): void {
  const { DATA_DIR: folder } = readEnv(io.env);
  try {
    giveToOwner(folder);
  } catch (error) {
    printLine(
      io.stderr,
      `Warning: ${folder} may hold files of root (${codeOf(error) ?? error}). Give them to the owner of the folder.`,
    );
  }
}

const asksForHelp = (args: string[]) => args.some((arg) => arg === '--help' || arg === '-h');

function overview(list: Command[]): string[] {
  const width = Math.max(...list.map(({ name }) => name.length));
  return [
    `${program} <command>, with one of these commands:`,
    '',
    ...list.map(({ name, summary }) => `  ${name.padEnd(width)}  ${summary}`),
    '',
    `${program} <command> --help describes a command.`,
    'npm run launch-check lists what to do before the site goes live.',
  ];
}

const helpOf = ({ name, usage, summary, details }: Command): string[] => [
  `${program} ${name} ${usage}`.trimEnd(),
  '',
  summary,
  ...details,
  '',
];

const print = (io: Io, lines: string[]) => {
  for (const line of lines) printLine(io.stdout, line);
};

/** The line to print for an error: without a stack, but with its code for support. */
function lineFor(error: unknown): string {
  const sentence = sentenceFor(error);
  if (sentence) return sentence;
  const code = codeOf(error);
  const [line] = (error instanceof Error ? error.message : String(error)).split('\n', 1);
  return `The command failed: ${line}${code && !line?.includes(code) ? ` (${code})` : ''}`;
}
