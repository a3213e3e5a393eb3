import { existsSync } from 'node:fs';
import { pluralize } from '../../contract/numbers.ts';
import { readEnv } from '../../env.ts';
import { AppError } from '../../errors.ts';
import { openConnections } from '../../stores/connected-env.ts';
import { prepareFolder } from '../../stores/data-folder.ts';
import { type Command, parse, printLine, withStores } from '../command.ts';
import { connectionFindings, dataFindings, type Finding, siteFinding } from './health.ts';

const signs: Record<Finding['is'], string> = { well: '✓', wrong: '✗', note: '·' };

export const status: Command = {
  name: 'status',
  usage: '[--json]',
  summary: 'Checks the site: whether it runs, its latest activity, backups and disk.',
  details: [
    '✓ is fine, ✗ is wrong, · is for information. The exit code is 1 if anything is wrong.',
    '--json  prints JSON for other programs.',
  ],

  async run(args, io) {
    const { values } = parse({ args, options: { json: { type: 'boolean' } } });
    const env = readEnv(io.env);
    if (env.DATABASE_URL === undefined) {
      // A new folder would be in the way of the one that is put back under a running site.
      if (!existsSync(env.DATA_DIR)) {
        throw new AppError(
          'COMMAND_FAILED',
          `There is no folder ${env.DATA_DIR}: it was moved or deleted, or no site was started there. ` +
            'Please put it back. To start a new site: npm start',
        );
      }
      prepareFolder(env.DATA_DIR);
    }
    const site = await siteFinding(env);
    const rest = await withStores(io, async (stores, { calls }) => {
      const { env: connected, unreadable } = await openConnections(env, stores).read();
      const { timeZone } = calls;
      return [
        ...connectionFindings(unreadable),
        ...(await dataFindings(connected, stores, { timeZone, now: io.now() })),
      ];
    });
    const findings = [site, ...rest];
    const wrong = findings.filter((finding) => finding.is === 'wrong').length;
    if (values.json) {
      printLine(io.stdout, JSON.stringify({ ok: wrong === 0, findings }, null, 2));
    } else {
      for (const finding of findings) printLine(io.stdout, `${signs[finding.is]} ${finding.says}`);
    }
    if (wrong > 0) {
      throw new AppError('COMMAND_FAILED', `${pluralize(wrong, 'thing is', 'things are')} wrong.`);
    }
  },
};
