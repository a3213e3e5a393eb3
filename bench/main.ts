/**
 * `npm run bench`: prints each figure as a ratio to a baseline measured in the same run. `npm run
 * bench -- http taps` runs only these parts; `--events 1000000` limits `volume` and `instances`,
 * which use ten million events by default.
 */
import { parseArgs } from 'node:util';
import { bookingRows } from './booking.ts';
import { byteRows } from './bytes.ts';
import { commitRows } from './commits.ts';
import { failureRows } from './failure.ts';
import { httpRows } from './http.ts';
import { instanceRows } from './instances.ts';
import { lighthouseRows } from './lighthouse.ts';
import { loginRows } from './logins.ts';
import type { Row } from './measure.ts';
import { pipeliningRows } from './pipelining.ts';
import { publishRows } from './publish.ts';
import { startRows } from './published.ts';
import { tapRows } from './taps.ts';
import { volumeRows } from './volume.ts';

const parts: Record<string, (options: { events: number }) => Promise<Row[]>> = {
  bytes: byteRows,
  lighthouse: lighthouseRows,
  taps: tapRows,
  booking: bookingRows,
  http: httpRows,
  logins: loginRows,
  pipelining: pipeliningRows,
  publish: publishRows,
  starts: startRows,
  volume: volumeRows,
  commits: commitRows,
  instances: instanceRows,
  failure: failureRows,
};

const { positionals: names, values } = parseArgs({
  allowPositionals: true,
  options: { events: { type: 'string', default: '10000000' } },
});
const chosen = names.length > 0 ? names : Object.keys(parts);
for (const name of chosen) {
  const part = parts[name];
  if (!part) {
    throw new Error(`There is no part ${name}. The parts are ${Object.keys(parts).join(', ')}.`);
  }
  print(await part({ events: Number(values.events) }));
}

function print(rows: Row[]): void {
  const columns = ['target', 'what', 'ours', 'baseline', 'ratio', 'goal'] as const;
  const widths = columns.map((name) =>
    Math.max(name.length, ...rows.map((row) => row[name].length)),
  );
  const line = (cells: string[]) =>
    cells
      .map((cell, i) => cell.padEnd(widths[i] ?? 0))
      .join('  ')
      .trimEnd();
  console.log(`\n${line([...columns])}`);
  console.log(widths.map((width) => '─'.repeat(width)).join('  '));
  for (const row of rows) console.log(line(columns.map((name) => row[name])));
}
