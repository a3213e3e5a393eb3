/** P3, P4: Lighthouse on the landing page, on its plain version, and after ten publishes, in turns. */
import { execFile, execFileSync } from 'node:child_process';
import { existsSync } from 'node:fs';
import { resolve } from 'node:path';
import { promisify } from 'node:util';
import { findBrowser } from '../e2e/browser.ts';
import { median, type Row } from './measure.ts';
import { plainSite } from './plain-page.ts';
import { startShingle } from './processes.ts';
import { publishTenTimes } from './published.ts';

const cli = resolve('bench/lighthouse/node_modules/lighthouse/cli/index.js');
const rounds = 5;
const forms = ['mobile', 'desktop'] as const;
const categories = ['performance', 'accessibility', 'best-practices', 'seo'] as const;

interface Result {
  scores: number[];
  fcp: number;
  lcp: number;
  cls: number;
  tbt: number;
}

type Runs = Record<'ours' | 'plain' | 'published', Result[]>;

export async function lighthouseRows(): Promise<Row[]> {
  if (!existsSync(cli)) {
    execFileSync('npm', ['ci', '--prefix', 'bench/lighthouse'], { stdio: 'inherit' });
  }
  const plain = await plainSite();
  const ours = await startShingle();
  const baseline = await startShingle({ cwd: plain.folder });
  const published = await startShingle();
  try {
    await publishTenTimes(published);
    const rows: Row[] = [];
    for (const form of forms) {
      const runs: Runs = { ours: [], plain: [], published: [] };
      for (let round = 0; round < rounds; round++) {
        runs.ours.push(await audit(ours.port, form));
        runs.plain.push(await audit(baseline.port, form));
        runs.published.push(await audit(published.port, form));
      }
      rows.push(...rowsOf(form, runs));
    }
    return rows;
  } finally {
    await ours.stop();
    await baseline.stop();
    await published.stop();
    await plain.remove();
  }
}

/** Audits a page. Retries once, since Lighthouse sometimes loses its trace and fails. */
async function audit(port: number, form: (typeof forms)[number]): Promise<Result> {
  return runLighthouse(port, form).catch(() => runLighthouse(port, form));
}

async function runLighthouse(port: number, form: (typeof forms)[number]): Promise<Result> {
  const { executablePath, args } = await findBrowser();
  const { stdout } = await promisify(execFile)(
    process.execPath,
    [
      cli,
      `http://127.0.0.1:${port}/`,
      '--quiet',
      '--output=json',
      `--only-categories=${categories.join(',')}`,
      `--chrome-flags=--headless=new ${args.join(' ')}`,
      ...(form === 'desktop' ? ['--preset=desktop'] : []),
    ],
    { env: { ...process.env, CHROME_PATH: executablePath }, maxBuffer: 64 * 1024 * 1024 },
  );
  const report = JSON.parse(stdout);
  const value = (name: string): number => report.audits[name].numericValue;
  return {
    scores: categories.map((name) => Math.round(report.categories[name].score * 100)),
    fcp: value('first-contentful-paint'),
    lcp: value('largest-contentful-paint'),
    cls: value('cumulative-layout-shift'),
    tbt: value('total-blocking-time'),
  };
}

function rowsOf(form: string, runs: Runs): Row[] {
  const scoresOf = (what: string, results: Result[]): Row => ({
    target: 'P3',
    what: `Lighthouse, ${form} ${what}`,
    ours: categories.map((_, i) => median(results.map(({ scores }) => scores[i] ?? 0))).join(' '),
    baseline: `worst score ${Math.min(...results.flatMap(({ scores }) => scores))}`,
    ratio: '–',
    goal: '100 100 100 100',
  });
  const medians = (metric: Exclude<keyof Result, 'scores'>) => [
    median(runs.ours.map((run) => run[metric])),
    median(runs.plain.map((run) => run[metric])),
  ];
  const timing = (what: string, metric: 'fcp' | 'lcp', goal: string): Row => {
    const [ours = 0, plain = 0] = medians(metric);
    const ms = (n: number) => `${n.toFixed(0)} ms`;
    return {
      target: 'P4',
      what: `${what}, ${form}`,
      ours: ms(ours),
      baseline: `plain page ${ms(plain)}`,
      ratio: (ours / plain).toFixed(2),
      goal,
    };
  };
  const [cls = 0] = medians('cls');
  const [tbt = 0, plainTbt = 0] = medians('tbt');
  return [
    scoresOf('(perf, a11y, best practices, SEO)', runs.ours),
    scoresOf('after ten publishes', runs.published),
    timing('FCP', 'fcp', '≤ 1.4'),
    timing('LCP', 'lcp', '≤ 1.1'),
    {
      target: 'P4',
      what: `CLS, ${form}`,
      ours: cls.toFixed(3),
      baseline: '–',
      ratio: '–',
      goal: '0',
    },
    {
      target: 'P4',
      what: `TBT, ${form}`,
      ours: `${tbt.toFixed(0)} ms`,
      baseline: `plain page ${plainTbt.toFixed(0)} ms`,
      ratio: `${tbt < plainTbt ? '' : '+'}${(tbt - plainTbt).toFixed(0)} ms`,
      goal: '≤ +20 ms',
    },
  ];
}
