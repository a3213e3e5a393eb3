import { isCurrent } from '../auth/sessions.ts';
import { localTime } from './local-time.ts';
import { counted, parse, printLine, type Verb, withStores } from './verb.ts';

export const sessions: Verb = {
  name: 'sessions',
  takes: '[--end-all]',
  summary: 'Shows which browsers are signed in, or signs all of them out.',
  details: [
    'Names the browser and when it was there; no address is kept.',
    '--end-all  signs every browser out, and forgets those that had signed in before.',
  ],

  async run(args, io) {
    const { values } = parse({ args, options: { 'end-all': { type: 'boolean' } } });
    const list = await withStores(io, async ({ auth }) => {
      const found = (await auth.sessions()).filter((session) => isCurrent(session, io.now()));
      if (values['end-all']) await auth.signOutEverywhere(io.now());
      return found;
    });
    if (values['end-all']) {
      return printLine(io.stdout, `${counted(list.length, 'browser')} signed out.`);
    }
    if (list.length === 0) return printLine(io.stdout, 'No browser is signed in.');
    for (const { browser, createdAt, seenAt } of list) {
      printLine(io.stdout, browser || 'A browser from before its name was kept');
      printLine(io.stdout, `  signed in ${localTime.format(createdAt)}`);
      // It is noted once an hour at most.
      printLine(io.stdout, `  seen      ${localTime.format(seenAt)}, or within the hour after`);
    }
    printLine(io.stdout, `${counted(list.length, 'browser')} signed in.`);
  },
};
