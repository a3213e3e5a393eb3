import { readFile, stat, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { Readable } from 'node:stream';
import { text } from 'node:stream/consumers';
import fc from 'fast-check';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { sourceText } from '../../attribution/source-name.ts';
import { salesCsv } from '../../sales/csv.ts';
import { readSales } from '../../sales/import/read-sales.ts';
import type { Sale } from '../../sales/sale.ts';
import { createOwner, now, type TestOwner } from '../../testing/cli-io.ts';
import { payPalExport, stripeExport } from '../../testing/shop-exports.ts';
import { csvChunks } from '../../text/csv.ts';
import { storedAddress } from '../../text/email-address.ts';

let owner: TestOwner;
beforeEach(async () => {
  owner = await createOwner();
});
afterEach(() => owner.remove());

const always = { from: 0, to: now + 1 };
const stored = () => owner.inside(({ analytics }) => analytics.sales(always, { limit: 1000 }));
const importing = (text: string | Buffer) =>
  owner.admin(['conversions', 'import', '-'], { stdin: Readable.from([Buffer.from(text)]) });

const header = 'id,amount,currency,email,source,timestamp';
const good = `${header}
a,4900,usd,ada@example.com,newsletter,2026-01-31T09:30:00Z
b,9700,EUR,,,2026-02-01T18:05:00+01:00
`;

describe('import', () => {
  it('conversions import imports the sales of a file once', async () => {
    await writeFile(join(owner.folder, 'sales.csv'), good);
    const args = ['conversions', 'import', 'sales.csv'];
    expect(await owner.admin(args)).toEqual({
      code: 0,
      out: '2 imported, 0 already there\n',
      err: '',
    });
    expect(await stored()).toEqual([
      {
        id: 'b',
        at: Date.UTC(2026, 1, 1, 17, 5),
        amount: 9700,
        refunded: 0,
        disputed: 0,
        currency: 'EUR',
        email: null,
        source: null,
        firstSource: null,
        button: null,
      },
      {
        id: 'a',
        at: Date.UTC(2026, 0, 31, 9, 30),
        amount: 4900,
        refunded: 0,
        disputed: 0,
        currency: 'USD',
        email: 'ada@example.com',
        source: 'newsletter',
        firstSource: null,
        button: null,
      },
    ]);
    expect((await owner.admin(args)).out).toBe('0 imported, 2 already there\n');
    expect(await stored()).toHaveLength(2);
    expect((await owner.admin(['verify'])).code).toBe(0);
  });

  it('conversions import adds new refunds and refuses more than was paid', async () => {
    await importing(good);
    const later = `${header},refunded\na,4900,usd,,,,900\nb,9700,EUR,,,,0\n`;
    expect((await importing(later)).out).toBe('0 imported, 1 updated, 1 already there\n');
    expect((await importing(later)).out).toBe('0 imported, 2 already there\n');
    expect(await stored()).toMatchObject([{ refunded: 0 }, { refunded: 900 }]);
    const { err } = await importing('id,amount,currency,refunded\nx,100,USD,101\n');
    expect(err).toMatch(
      /Line 2, column refunded: No more can be refunded or disputed than was paid/,
    );
    expect((await owner.admin(['verify'])).code).toBe(0);
  });

  it('conversions import counts a duplicate id as one sale, the first', async () => {
    const { out } = await importing('id,amount,currency\na,1,USD\na,2,USD\n');
    expect(out).toBe('1 imported, 1 already there\n');
    expect(await stored()).toMatchObject([{ id: 'a', amount: 1, at: now }]);
  });

  it.each([
    ['a stored sale', 'new,1,USD\n\nb,100,usd\n', 'Line 4'],
    ['an earlier line', 'new,1,USD\nc,100,JPY\nc,100,usd\n', 'Line 4'],
  ])(
    'conversions import names the line in another currency than %s and imports nothing',
    async (_name, lines, place) => {
      await importing(good);
      const { code, out, err } = await importing(`id,amount,currency\n${lines}`);
      expect({ code, out }).toEqual({ code: 1, out: '' });
      expect(err).toBe(
        `${place}, column currency: A sale with this id was reported in another currency. Please send its refunds in that one.\nNothing was imported.\n`,
      );
      expect((await stored()).map(({ id }) => id)).toEqual(['b', 'a']);
    },
  );

  it.each([
    ['a byte order mark', `\ufeff${good}`],
    ['CRLF', good.replaceAll('\n', '\r\n')],
    ['CR', good.replaceAll('\n', '\r')],
    ['mixed line ends', good.replace('\n', '\r\n')],
    ['no last line end', good.trimEnd()],
    ['empty lines and rows', good.replace('\nb', '\n\n,,,,,\nb')],
    ['quotes everywhere', good.replace(/[^,\n]+/g, '"$&"')],
    ['spaces around cells', good.replaceAll(',', ' , ')],
    ['capitals in the header', good.replace('id,amount', 'ID,Amount')],
  ])('conversions import reads a file with %s', async (_name, text) => {
    expect((await importing(text)).out).toBe('2 imported, 0 already there\n');
    expect((await stored()).map(({ id, amount }) => [id, amount])).toEqual([
      ['b', 9700],
      ['a', 4900],
    ]);
  });

  it('conversions import accepts the columns in any order', async () => {
    await importing('currency,email,id,amount\nUSD,ada@example.com,a,4900\n');
    expect(await stored()).toMatchObject([{ id: 'a', amount: 4900, email: 'ada@example.com' }]);
  });

  it.each([';', '\t'])('conversions import reads a file that is separated by %j', async (mark) => {
    const lines = 'id,amount,currency\na,1,USD\n'.replaceAll(',', mark);
    expect((await importing(lines)).out).toBe('1 imported, 0 already there\n');
  });

  it.each(['latin1', 'utf16le'] as const)(
    'conversions import reads a file in %s',
    async (encoding) => {
      const file = `${encoding === 'utf16le' ? '\ufeff' : ''}id,amount,currency\nMüller,1,USD\n`;
      await importing(Buffer.from(file, encoding));
      expect(await stored()).toMatchObject([{ id: 'Müller' }]);
    },
  );

  it('conversions import reads the export of another shop and names the lines it leaves out', async () => {
    expect(await importing(stripeExport)).toEqual({
      code: 0,
      out: '6 imported, 0 already there\n',
      err: [
        '3 lines left out:',
        'Line 5: Status “Failed”: no money was received.',
        'Line 6: Not captured: no money was received.',
        'Line 9: A test payment.\n',
      ].join('\n'),
    });
    expect((await importing(stripeExport)).out).toBe('0 imported, 6 already there\n');
    expect((await owner.admin(['verify'])).code).toBe(0);
  });

  it('conversions import refuses dates that can be read in two ways', async () => {
    const dates = payPalExport.replaceAll(/"(\d\d)\.(\d\d)\.2026"/g, '"$1/$2/2026"');
    const { code, err } = await importing(dates.replace('31/01', '03/01'));
    expect({ code, err }).toEqual({ code: 1, err: expect.stringContaining('in the browser') });
    expect(await stored()).toEqual([]);
  });

  it('conversions import accepts a file without sales', async () => {
    expect((await importing(header)).out).toBe('0 imported, 0 already there\n');
  });

  it('conversions import names the line and column of every error and imports nothing', async () => {
    const { code, out, err } = await importing(
      `${header}
ok,4900,USD,"two
lines",,2026-01-31T09:30:00Z

,49.00,dollars,,,yesterday
short,1
b,-5,USD,,,
`,
    );
    expect({ code, out }).toEqual({ code: 1, out: '' });
    const lines = err.trimEnd().split('\n');
    expect(lines.map((line) => line.split(':', 1)[0])).toEqual([
      'Line 5, column id',
      'Line 5, column amount',
      'Line 5, column currency',
      'Line 5, column timestamp',
      'Line 6',
      'Line 7, column amount',
      'Nothing was imported.',
    ]);
    expect(lines[1]).toContain('such as cents, as a whole number');
    expect(err).not.toMatch(/expected|received|invalid/i);
    expect(await stored()).toEqual([]);
  });

  it('conversions import prints at most ten errors', async () => {
    const { err } = await importing(`id,amount,currency\n${'a,x,USD\n'.repeat(500)}`);
    expect(err.split('\n')).toHaveLength(13);
    expect(err).toContain('… and 490 more errors.\nNothing was imported.\n');
  });

  it.each([
    ['', /^The first line must name the column id\./],
    ['id,amount\na,1\n', /^The first line must name the column currency\./],
    ['id,amount,currency,date\n', /^The first line has an unknown or duplicate column "date"/],
    ['id,amount,currency,id\n', /^The first line has an unknown or duplicate column "id"/],
    [`${header}\n"a,1`, /^The file cannot be read as CSV: Quote Not Closed.*line 2\./],
    ['PK\u0003\u0004', /^This is a workbook\. Please save the sheet as CSV\./],
    [`${header}\na\0b,1,USD,,,`, /^Line 2, column id: This text holds a character/],
  ])('conversions import refuses %j', async (text, sentence) => {
    const { code, err } = await importing(text);
    expect(code).toBe(1);
    expect(err).toMatch(sentence);
  });

  it.each([
    [[], /^Please name one file/],
    [['a.csv', 'b.csv'], /^Please name one file/],
    [['missing.csv'], /^The file missing\.csv does not exist\.\n$/],
    [['.'], /^The file \. cannot be read \(EISDIR\)\.\n$/],
  ])('conversions import refuses the file arguments %j', async (files, sentence) => {
    const { code, err } = await owner.admin(['conversions', 'import', ...files]);
    expect(code).toBe(1);
    expect(err).toMatch(sentence);
  });
});

describe('export', () => {
  it('conversions export, imported into an empty database, gives the same sales and totals', async () => {
    await owner.admin(['demo', '--events', '3000']);
    await importing(
      `${header}\n" odd ""id"", =1+1",1,USD,,"two\r\nlines, ""quoted""",2026-01-31T09:30:00.123Z\n`,
    );
    const { out } = await owner.admin(['conversions', 'export', 'sales.csv']);
    expect(out).toMatch(/^\d+ sales exported to sales\.csv\n$/);
    const text = await readFile(join(owner.folder, 'sales.csv'), 'utf8');
    expect((await owner.admin(['conversions', 'export'])).out).toBe(text);

    const other = await createOwner();
    try {
      const { code } = await other.admin([
        'conversions',
        'import',
        join(owner.folder, 'sales.csv'),
      ]);
      expect(code).toBe(0);
      expect(await other.inside(salesTotals)).toEqual(await owner.inside(salesTotals));
      expect((await other.admin(['conversions', 'export'])).out).toBe(text);
      expect((await other.admin(['verify'])).code).toBe(0);
    } finally {
      await other.remove();
    }
  });

  it('conversions export writes a file that only its owner may read, and never overwrites one', async () => {
    await owner.admin(['conversions', 'export', 'sales.csv']);
    const file = join(owner.folder, 'sales.csv');
    expect((await stat(file)).mode & 0o777).toBe(0o600);
    expect(await readFile(file, 'utf8')).toBe(`${salesCsv.columns}\n`);
    expect(await owner.admin(['conversions', 'export', 'sales.csv'])).toEqual({
      code: 1,
      out: '',
      err: 'The file sales.csv exists already. Please choose another name.\n',
    });
  });

  it('conversions export reports a folder that does not exist', async () => {
    const { code, err } = await owner.admin(['conversions', 'export', 'no/sales.csv']);
    expect({ code, err }).toEqual({ code: 1, err: 'The folder of no/sales.csv does not exist.\n' });
  });

  it('conversions export and import preserve any text', () => {
    const words = fc.oneof(
      fc.string({ unit: 'grapheme', minLength: 1, maxLength: 40 }),
      fc.string({ unit: fc.constantFrom(...`a'"=+-@;, \t\r\n`), minLength: 1, maxLength: 12 }),
    );
    const optional = fc.option(
      words.map((t) => t.trim()).map((t) => t || 'x'),
      { nil: null },
    );
    const source = optional.map((found) => found && sourceText(found));
    const third = fc.nat(1_000_000);
    const sale: fc.Arbitrary<Sale> = fc.record({
      id: words,
      at: fc.integer({ min: Date.UTC(2000), max: Date.UTC(2026) }),
      amount: third.map((n) => n + 2_000_000),
      refunded: third,
      disputed: third,
      currency: fc.constantFrom('USD', 'EUR', 'JPY'),
      email: optional.map((email) => email && storedAddress(email)),
      source,
      firstSource: source,
      button: fc.constantFrom(null, 'hero'),
    });
    return fc.assert(
      fc.asyncProperty(fc.array(sale, { maxLength: 5 }), async (sales) => {
        const file = await text(csvChunks(Readable.from(sales), salesCsv));
        expect(await readSales(file, { now, timeZone: 'UTC' })).toMatchObject({
          format: 'own',
          sales,
          errors: { count: 0, shown: [] },
        });
      }),
    );
  });
});

const salesTotals = async ({ analytics }: Parameters<Parameters<TestOwner['inside']>[0]>[0]) => {
  const { conversions, revenue } = await analytics.totals(always);
  return { conversions, revenue };
};
