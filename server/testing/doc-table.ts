/** For tests: tables in `docs` that name the tests which hold what their rows say. */
import { readFile } from 'node:fs/promises';

interface Row {
  /** What the row says, before the file and the test. */
  says: string;
  file: string;
  title: string;
}

/** The rows whose last two columns are a file and the title of a test in it. */
export const rowsOf = (page: string): Row[] =>
  [...page.matchAll(/^\| (.+) \| `(.+)` \| (.+) \|$/gm)].map(([, says, file, title]) => ({
    says: says ?? '',
    file: file ?? '',
    title: title ?? '',
  }));

const escaped = (text: string) => text.replace(/[\\^$.*+?()[\]{}|]/g, '\\$&');

/** Whether a test in `source` is called `title`, quoted as it may be. */
const hasTest = (source: string, title: string) =>
  new RegExp(`\\(\\s*(['"\`])${escaped(title)}\\1,`).test(source);

/** Rows that name a test which does not exist, in words. */
export async function missingTests(rows: Row[]): Promise<string[]> {
  const missing: string[] = [];
  for (const { says, file, title } of rows) {
    const source = await readFile(file, 'utf8').catch(() => '');
    if (!hasTest(source, title)) missing.push(`${file}: ${title} (for: ${says})`);
  }
  return missing;
}
