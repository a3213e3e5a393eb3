import fc from 'fast-check';
import { expect, it } from 'vitest';
import { csvChunks, csvLine, unescapedCell } from './csv.ts';

/** What stands in the file for a text. */
const written = (text: string) => {
  const line = csvLine([text]).slice(0, -1);
  return line.startsWith('"') ? line.slice(1, -1).replaceAll('""', '"') : line;
};

it.each(['=1+1', '+1', '-1', '@A1', ' =1+1', '\u00a0@x', '＝1+1', "'=1", "''+1", '"=1', '\na'])(
  'writes %j so that no spreadsheet takes it for a formula',
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

it.each(['a;b', 'a\n\nb\r\n\r\nc', "a;'b'", 'a;1-2'])('adds nothing to %j', (text) => {
  expect(csvLine([text])).toBe(`"${text}"\n`);
});

it.each(['newsletter', "it's", "'quoted'", '', 'a=b', '1-2', "'", '0'])(
  'writes %j as it is',
  (text) => {
    expect(csvLine([text])).toBe(`${text}\n`);
    expect(unescapedCell(text)).toBe(text);
  },
);

it('lets a formula of another program stand when it is read', () => {
  expect(unescapedCell('=1+1')).toBe('=1+1');
});

const signs = ["'", '=', '+', '-', '@', ' ', '\t', '\r', '\n', '"', ',', ';', 'a', '＋'];
const strange = fc.string({ unit: fc.constantFrom(...signs), maxLength: 12 });

it('has one way to write each text, and reads that text from it', () => {
  fc.assert(
    fc.property(strange, (text) => {
      const cell = written(text);
      expect(unescapedCell(cell)).toBe(text);
      expect(cell).not.toMatch(/^(?:\s*[=+\-@＝＋－＠]|[\t\r\n])/);
    }),
    { numRuns: 5000 },
  );
});

/** The cells as a lenient spreadsheet reads them: quotes count where a cell begins, and what follows them is kept. */
function shown(text: string, delimiter: string): string[] {
  const cell = new RegExp(
    `(?:"((?:[^"]|"")*)(?:"|$))?([^${delimiter}\\r\\n]*)(?:[${delimiter}\\r\\n]|$)`,
    'gy',
  );
  return [...text.matchAll(cell)].map(([, held = '', rest]) => held.replaceAll('""', '"') + rest);
}

it.each([',', ';', '\t'])('shows no formula where %j separates', (delimiter) => {
  expect(shown(`a${delimiter}"=1"\n""=2`, delimiter)).toEqual(expect.arrayContaining(['=1', '=2']));
  fc.assert(
    fc.property(strange, strange, (one, other) => {
      for (const cell of shown(csvLine(['id', one, other, 'b']), delimiter)) {
        expect(cell).not.toMatch(/^\s*[=+\-@＝＋－＠]/);
      }
    }),
    { numRuns: 5000 },
  );
});

it('CSV cells hold no control or bidi override characters, also before a formula', () => {
  expect(written('a\u001b[2J\u009b1m\u007f\u202efdp\u2066b')).toBe('a[2J1mfdpb');
  expect(written('\u202e\u0007=1+1')).toBe("'=1+1");
  expect(written('ליאת \u{1F469}\u200d\u{1F4BB}\nx')).toBe('ליאת \u{1F469}\u200d\u{1F4BB}\nx');
});

it('hands a long file on in pieces, as they are asked for', async () => {
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
