/** P18: publishing the site while visitors read it, on this instance and another one. */
import { setTimeout as pause } from 'node:timers/promises';
import { startInstance, startPostgres } from './cluster.ts';
import { median, type Row } from './measure.ts';
import { getJson, postJson, signIn } from './owner.ts';
import type { BenchServer } from './processes.ts';

const publishes = 5;
const readers = 200;
/** Between two publishes, in ms. */
const pauseMs = 3000;
/** How long visitors read before the first publish, in ms. */
const warmUpMs = 10_000;

interface Draft {
  document: { tagline: string };
}

/** Publishes several times on one of two instances. */
export async function publishRows(): Promise<Row[]> {
  const postgres = await startPostgres();
  const [here, there] = [await startInstance(postgres.url), await startInstance(postgres.url)];
  try {
    const cookie = await signIn(here);
    await Promise.all([here, there].map(page));
    let { tagline } = (await getJson<Draft>(here, '/api/site/draft', cookie)).document;
    const known = [tagline];
    const cpu: number[] = [];
    const seenHere: number[] = [];
    const seenThere: number[] = [];
    let reads = 0;
    let isDone = false;
    const reading = Promise.all(
      Array.from({ length: readers }, async () => {
        while (!isDone) {
          const html = await page(here);
          const shown = known.filter((text) => html.includes(text));
          if (shown.length !== 1 || !html.endsWith('</html>'))
            throw new Error(`A reader got ${shown.length} versions.`);
          reads += 1;
          await pause(1000);
        }
      }),
    );
    // The readers alone take 24 MB of it.
    await pause(warmUpMs);
    const before = { server: here.memory(), family: here.familyMemory() };
    let familyPeak = 0;
    const sampling = setInterval(() => {
      familyPeak = Math.max(familyPeak, here.familyMemory());
    }, 20);
    for (let n = 1; n <= publishes; n++) {
      const to = `Published for the ${n}th time.`;
      known.push(to);
      const patches = [{ path: 'tagline', from: tagline, to }];
      const { revision } = await postJson<{ revision: number }>(here, '/api/site/draft', cookie, {
        patches,
      });
      const [startedAt, cpuBefore] = [performance.now(), here.cpu()];
      await postJson(here, '/api/site/publish', cookie, { revision });
      cpu.push((here.cpu() - cpuBefore) / 1000);
      await shows(here, to);
      seenHere.push(performance.now() - startedAt);
      await shows(there, to);
      seenThere.push(performance.now() - startedAt);
      tagline = to;
      await pause(pauseMs);
    }
    isDone = true;
    clearInterval(sampling);
    await reading;
    const row = (what: string, ours: string, goal: string): Row => ({
      ...{ target: 'P18', what, ours, goal, ratio: '–' },
      baseline: `${publishes} publishes, ${reads} reads whole`,
    });
    const memory = (
      what: string,
      { before, value }: { before: number; value: number },
      goal: string,
    ) => row(what, `${before.toFixed(0)} MB + ${(value - before).toFixed(0)} MB`, goal);
    const ms = (values: number[]) =>
      `${median(values).toFixed(0)} ms, worst ${Math.max(...values).toFixed(0)} ms`;
    return [
      row('a publish, CPU with that of the readers', ms(cpu), '≤ 1,000 ms'),
      row('visible on the instance', ms(seenHere), '≤ 2,000 ms'),
      row('visible on another instance', ms(seenThere), '≤ 3,000 ms'),
      memory(
        'peak memory, above the readers alone',
        { before: before.server, value: here.peakMemory() },
        '≤ 40 MB',
      ),
      memory(
        'peak memory with the process that renders',
        { before: before.family, value: familyPeak },
        '–',
      ),
      memory(
        'memory afterwards, all of it',
        { before: before.family, value: here.familyMemory() },
        '–',
      ),
    ];
  } finally {
    await Promise.all([here, there].map((server) => server.stop()));
    await postgres.stop();
  }
}

async function page({ port }: BenchServer): Promise<string> {
  return (await fetch(`http://127.0.0.1:${port}/`)).text();
}

async function shows(server: BenchServer, text: string): Promise<void> {
  while (!(await page(server)).includes(text)) await pause(20);
}
