import fc from 'fast-check';
import { expect, it } from 'vitest';
import { csvChunks, csvLine, meant } from './csv.ts';

it.each(['=1+1', '+1', '-1', '@A1', '\t=1', '\r=1', ' =1+1', '\u00a0@x', '＝1+1', "'=1", "''+1"])(
  'writes %j so that no spreadsheet takes it for a formula',
  (text) => {
    const [, cell = ''] = /^"?(.*?)"?\n$/s.exec(csvLine([text])) ?? [];
    expect(cell).toBe(`'${text}`);
    expect(meant(cell)).toBe(text);
  },
);

it.each(['newsletter', "it's", "'quoted'", '', 'a=b', '1-2', "'", '0'])(
  'writes %j as it is',
  (text) => {
    expect(csvLine([text])).toBe(`${text}\n`);
    expect(meant(text)).toBe(text);
  },
);

it('lets a formula of another program stand when it is read', () => {
  expect(meant('=1+1')).toBe('=1+1');
});

it('has one way to write each text, and reads that text from it', () => {
  const sign = fc.constantFrom("'", '=', '-', '@', ' ', '\t', '\r', '\n', '"', ',', 'a', '＋');
  fc.assert(
    fc.property(fc.string({ unit: sign, maxLength: 8 }), (text) => {
      const line = csvLine([text]).slice(0, -1);
      const cell = line.startsWith('"') ? line.slice(1, -1).replaceAll('""', '"') : line;
      expect(meant(cell)).toBe(text);
      expect(cell).not.toMatch(/^(?:\s*[=+\-@＝＋－＠]|[\t\r\n])/);
    }),
    { numRuns: 2000 },
  );
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
