import { isCurrent } from '../auth/sessions.ts';
import { attemptsInWords } from '../auth/sign-in-log.ts';
import type { SignInAttempts } from '../auth/store.ts';
import { pluralize } from '../contract/numbers.ts';
import { type Command, parse, printLine, withStores } from './command.ts';
import { localTime } from './local-time.ts';

/** Number of lines of attempts that are printed. */
const maxShown = 50;

export const sessions: Command = {
  name: 'sessions',
  usage: '[--end-all]',
  summary: 'Shows who is signed in, and recent sign-ins and refused attempts.',
  details: [
    'Lists each signed-in browser and when it was last seen. Below that it lists the newest sign-ins and',
    'refused attempts of the last 90 days, with their network addresses.',
    '--end-all  signs every browser out, and no longer recognizes the browsers that signed in before.',
  ],

  async run(args, io) {
    const { values } = parse({ args, options: { 'end-all': { type: 'boolean' } } });
    const { list, attempts } = await withStores(io, async ({ auth }) => {
      const current = (await auth.sessions()).filter((session) => isCurrent(session, io.now()));
      if (values['end-all']) await auth.signOutEverywhere(io.now());
      return { list: current, attempts: await auth.attempts(maxShown + 1) };
    });
    if (values['end-all']) {
      return printLine(io.stdout, `${pluralize(list.length, 'browser')} signed out.`);
    }
    for (const { browser, createdAt, seenAt } of list) {
      printLine(io.stdout, browser);
      printLine(io.stdout, `  signed in ${localTime.format(createdAt)}`);
      // Stored at most once an hour.
      printLine(io.stdout, `  last seen ${localTime.format(seenAt)}, or up to an hour later`);
    }
    printLine(
      io.stdout,
      list.length === 0
        ? 'No browser is signed in.'
        : `${pluralize(list.length, 'browser')} signed in.`,
    );
    if (attempts.length === 0) return;
    printLine(io.stdout);
    printLine(io.stdout, 'Sign-ins and refused attempts, the newest first:');
    for (const attempt of attempts.slice(0, maxShown)) printLine(io.stdout, lineOf(attempt));
    if (attempts.length > maxShown) printLine(io.stdout, 'Older attempts are not shown.');
  },
};

/** Formats the attempts of one kind within one hour, with the time of the last one. */
function lineOf(attempts: SignInAttempts): string {
  const who = [attempts.browser, attempts.address].filter(Boolean).join(' at ');
  return `${localTime.format(attempts.lastAt)}  ${attemptsInWords(attempts)}: ${who}`;
}
