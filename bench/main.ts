/** `npm run bench`: each figure as a ratio to a baseline measured in the same run. */
import { httpRows } from './http.ts';
import type { Row } from './measure.ts';

export async function main(): Promise<void> {
  print(await httpRows());
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
  console.log(line([...columns]));
  console.log(widths.map((width) => '─'.repeat(width)).join('  '));
  for (const row of rows) console.log(line(columns.map((name) => row[name])));
}
