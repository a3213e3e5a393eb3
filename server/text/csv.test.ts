import fc from 'fast-check';
import { expect, it } from 'vitest';
import { csvChunks, csvLine, unescapedCell } from './csv.ts';

/** The CSV form of a text. */
const written = (text: string) => {
  const line = csvLine([text]).slice(0, -1);
  return line.startsWith('"') ? line.slice(1, -1).replaceAll('""', '"') : line;
};

it.each(['=1+1', '+1', '-1', '@A1', ' =1+1', '\u00a0@x', '＝1+1', "'=1", "''+1", '"=1', '\na'])(
  'csvLine escapes the formula %j with an apostrophe',
  (text) => {
    expect(written(text)).toBe(`'${text}`);
    expect(unescapedCell(`'${text}`)).toBe(text);
  },
);

it.each([
  ["x;=cmd|'/Ccalc'!A0", "x;'=cmd|'/Ccalc'!A0"],
  ['a\n=1', "a\n'=1"],
  ['a\r\n+1\r\n\r\n-2', "a\r\n'+1\r\n\r\n'-2"],
  ['a\t@b', "a\t'@b"],
  ['a; =1', "a;' =1"],
  ['a;"=1;b', 'a;\'"=1;b'],
  ["a;'=1", "a;''=1"],
  ['a;\t=1', "a;'\t'=1"],
  ['\t=1', "'\t'=1"],
  ['\r=1', "'\r'=1"],
  ['a;;=1;b', "a;;'=1;b"],
  ['a\n\n- b', "a\n\n'- b"],
])('writes %j so that it is no formula where semicolons or tabs separate', (text, cell) => {
  expect(written(text)).toBe(cell);
  expect(csvLine([text])).toBe(`"${cell.replaceAll('"', '""')}"\n`);
  expect(unescapedCell(cell)).toBe(text);
});

it.each(['a;b', 'a\n\nb\r\n\r\nc', "a;'b'", 'a;1-2'])('csvLine only quotes %j', (text) => {
  expect(csvLine([text])).toBe(`"${text}"\n`);
});

it.each(['newsletter', "it's", "'quoted'", '', 'a=b', '1-2', "'", '0'])(
  'csvLine writes %j unchanged',
  (text) => {
    expect(csvLine([text])).toBe(`${text}\n`);
    expect(unescapedCell(text)).toBe(text);
  },
);

it('reading keeps a formula from another program', () => {
  expect(unescapedCell('=1+1')).toBe('=1+1');
});

const signs = ["'", '=', '+', '-', '@', ' ', '\t', '\r', '\n', '"', ',', ';', 'a', '＋'];
const strange = fc.string({ unit: fc.constantFrom(...signs), maxLength: 12 });

it('each text has one CSV form and is read back unchanged', () => {
  fc.assert(
    fc.property(strange, (text) => {
      const cell = written(text);
      expect(unescapedCell(cell)).toBe(text);
      expect(cell).not.toMatch(/^(?:\s*[=+\-@＝＋－＠]|[\t\r\n])/);
    }),
    { numRuns: process.env.TEST_LONG ? 5000 : 1000 },
  );
});

/** The cells as a lenient spreadsheet reads them: quotes count where a cell begins, and text after them counts. */
function shown(text: string, delimiter: string): string[] {
  const cell = new RegExp(
    `(?:"((?:[^"]|"")*)(?:"|$))?([^${delimiter}\\r\\n]*)(?:[${delimiter}\\r\\n]|$)`,
    'gy',
  );
  return [...text.matchAll(cell)].map(([, held = '', rest]) => held.replaceAll('""', '"') + rest);
}

it.each([',', ';', '\t'])('no cell is a formula when %j is the separator', (delimiter) => {
  expect(shown(`a${delimiter}"=1"\n""=2`, delimiter)).toEqual(expect.arrayContaining(['=1', '=2']));
  fc.assert(
    fc.property(strange, strange, (one, other) => {
      for (const cell of shown(csvLine(['id', one, other, 'b']), delimiter)) {
        expect(cell).not.toMatch(/^\s*[=+\-@＝＋－＠]/);
      }
    }),
    { numRuns: process.env.TEST_LONG ? 5000 : 1000 },
  );
});

it('CSV cells hold no control or bidi override characters, also before a formula', () => {
  expect(written('a\u001b[2J\u009b1m\u007f\u202efdp\u2066b')).toBe('a[2J1mfdpb');
  expect(written('\u202e\u0007=1+1')).toBe("'=1+1");
  expect(written('ליאת \u{1F469}\u200d\u{1F4BB}\nx')).toBe('ליאת \u{1F469}\u200d\u{1F4BB}\nx');
});

it('a long CSV file is streamed in chunks on demand', async () => {
  let asked = 0;
  async function* rows() {
    for (; asked < 10_000; asked++) yield 'x'.repeat(99);
  }
  const chunks = csvChunks(rows(), { columns: ['a'], cellsOf: (row) => [row] });
  const first = await chunks.next();
  expect(asked).toBeLessThan(400);
  let text = first.value ?? '';
  for await (const chunk of chunks) text += chunk;
  expect(text.split('\n')).toHaveLength(10_002);
});
