/** Finds the verb, runs it, and says in one line what went wrong. */

import { sentenceFor } from '../app/startup-errors.ts';
import { codeOf } from '../error-code.ts';
import { type Command, type Io, printLine, Refusal } from './command.ts';
import { commands } from './commands.ts';

const command = 'npm run admin --';

/** Runs what was typed after `npm run admin --`; resolves with the exit code. */
export async function run(args: string[], io: Io): Promise<number> {
  try {
    await perform(args, io);
    return 0;
  } catch (error) {
    printLine(io.stderr, error instanceof Refusal ? error.message : lineFor(error));
    return 1;
  }
}

async function perform(args: string[], io: Io): Promise<void> {
  // The longer name is meant: `messages export` is not `messages`.
  const [verb] = commands
    .filter(({ name }) => name.split(' ').every((word, i) => word === args[i]))
    .sort((a, b) => b.name.length - a.name.length);
  if (verb) {
    const rest = args.slice(verb.name.split(' ').length);
    if (asksForHelp(rest)) return print(io, helpOf(verb));
    return verb.run(rest, io);
  }
  const [first] = args;
  const family = commands.filter(({ name }) => name.startsWith(`${first} `));
  if (first === undefined || asksForHelp([first])) return print(io, overview(commands));
  if (family.length > 0 && asksForHelp(args)) return print(io, family.flatMap(helpOf));
  if (family.length > 0) {
    const names = family.map(({ name }) => `"${name}"`).join(' or ');
    throw new Refusal(`Please say which: ${names}. ${command} ${first} --help tells more.`);
  }
  throw new Refusal(`There is no verb "${first}". ${command} --help lists them.`);
}

const asksForHelp = (args: string[]) => args.some((arg) => arg === '--help' || arg === '-h');

function overview(list: Command[]): string[] {
  const width = Math.max(...list.map(({ name }) => name.length));
  return [
    `${command} <verb> does something for the owner of the site:`,
    '',
    ...list.map(({ name, summary }) => `  ${name.padEnd(width)}  ${summary}`),
    '',
    `${command} <verb> --help tells more about one.`,
    'npm run launch-check names what is still to do before the site goes live.',
  ];
}

const helpOf = ({ name, takes, summary, details }: Command): string[] => [
  `${command} ${name} ${takes}`.trimEnd(),
  '',
  summary,
  ...details,
  '',
];

const print = (io: Io, lines: string[]) => {
  for (const line of lines) printLine(io.stdout, line);
};

/** Never a stack: it tells the owner nothing. The code may help whoever is asked for help. */
function lineFor(error: unknown): string {
  const known = sentenceFor(error);
  if (known) return known;
  const code = codeOf(error);
  const [line] = (error instanceof Error ? error.message : String(error)).split('\n', 1);
  return `That did not work: ${line}${code && !line?.includes(code) ? ` (${code})` : ''}`;
}
