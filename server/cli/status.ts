import { prepareFolder } from '../app/data-folder.ts';
import { readEnv } from '../env.ts';
import { type Command, counted, parse, printLine, Refusal, withStores } from './command.ts';
import { type Finding, ofData, ofSite } from './health.ts';

const signs: Record<Finding['is'], string> = { well: '✓', wrong: '✗', note: '·' };

export const status: Command = {
  name: 'status',
  takes: '[--json]',
  summary: 'Says how the site is: whether it runs, what came last, backups, disk.',
  details: [
    '✓ is well, ✗ is wrong, · is good to know. Ends with exit code 1 when anything is wrong.',
    '--json  writes it for another program.',
  ],

  async run(args, io) {
    const { values } = parse({ args, options: { json: { type: 'boolean' } } });
    const env = readEnv(io.env);
    if (env.DATABASE_URL === undefined) prepareFolder(env.DATA_DIR);
    const site = await ofSite(env);
    const rest = await withStores(io, (stores) => ofData(env, stores, io.now()));
    const findings = [site, ...rest];
    const wrong = findings.filter((finding) => finding.is === 'wrong').length;
    if (values.json) {
      printLine(io.stdout, JSON.stringify({ ok: wrong === 0, findings }, null, 2));
    } else {
      for (const finding of findings) printLine(io.stdout, `${signs[finding.is]} ${finding.says}`);
    }
    if (wrong > 0)
      throw new Refusal(`${counted(wrong, 'thing')} ${wrong === 1 ? 'is' : 'are'} wrong.`);
  },
};
