/** For tests: rows of `docs` that end with a link to the test that covers them. */
import { readFile } from 'node:fs/promises';

interface Row {
  /** What stands before the link. */
  text: string;
  file: string;
  title: string;
}

/** Parses the rows that end with `[title of a test](../file)`. */
export const rowsOf = (page: string): Row[] =>
  [...page.matchAll(/^[|-] (.+?)(?: \||:) \[(.+)\]\(\.\.\/(.+)\)(?: \|)?$/gm)].map(
    ([, text, title, file]) => ({
      text: text ?? '',
      title: title ?? '',
      file: file ?? '',
    }),
  );

const escaped = (text: string) => text.replace(/[\\^$.*+?()[\]{}|]/g, '\\$&');

/** Whether `source` has a test of this title, in any kind of quotes. */
const hasTest = (source: string, title: string) =>
  new RegExp(`\\(\\s*(['"\`])${escaped(title)}\\1,`).test(source);

/** Returns one line for each row whose test does not exist. */
export async function missingTests(rows: Row[]): Promise<string[]> {
  const missing: string[] = [];
  for (const { text, file, title } of rows) {
    const source = await readFile(file, 'utf8').catch(() => '');
    if (!hasTest(source, title)) missing.push(`${file}: ${title} (for: ${text})`);
  }
  return missing;
}
