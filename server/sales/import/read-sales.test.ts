import { setImmediate as yieldToEventLoop } from 'node:timers/promises';
import { expect, it } from 'vitest';
import {
  gumroadExport,
  lemonSqueezyExport,
  otherExport,
  payPalExport,
  stripeExport,
} from '../../testing/shop-exports.ts';
import { readSales } from './read-sales.ts';

const now = Date.UTC(2026, 10, 21, 2, 30);
const read = (text: string, options?: Parameters<typeof readSales>[1]['options']) =>
  readSales(text, { now, options, timeZone: 'Europe/Berlin' });

const summaryOf = ({ sales }: Awaited<ReturnType<typeof read>>) =>
  sales.map(({ id, amount, refunded, disputed, currency, email, source, at }) =>
    [id, amount, refunded, disputed, currency, email, source, new Date(at).toISOString()].join(' '),
  );
const skippedIn = ({ skipped }: Awaited<ReturnType<typeof read>>) =>
  skipped.map(({ line, reason }) => `${line} ${reason}`);

it('Stripe payments are known by their payment intent, with refunds and disputes', async () => {
  const file = await read(stripeExport);
  expect(file).toMatchObject({ format: 'stripe', hasOpenDates: false, errors: { count: 0 } });
  expect(summaryOf(file)).toEqual([
    'pi_1 9700 0 0 USD ada@example.com newsletter 2026-01-31T09:30:15.000Z',
    'pi_2 125050 25050 0 EUR bo@example.com  2026-02-01T10:00:00.000Z',
    'pi_3 12000 12000 0 JPY cy@example.com  2026-02-02T10:00:00.000Z',
    'pi_6 9700 9700 0 USD eve@example.com  2026-02-04T10:00:00.000Z',
    'pi_7 9700 0 9700 USD flo@example.com  2026-02-05T10:00:00.000Z',
    'cs_9 2900 0 0 USD gil@example.com  2026-02-07T10:00:00.000Z',
  ]);
  expect(skippedIn(file)).toEqual([
    '5 Status “Failed”: no money was received.',
    '6 Not captured: no money was received.',
    '9 A test payment.',
  ]);
});

it('Gumroad sales are in dollars, without trials, free orders and the line of totals', async () => {
  const file = await read(gumroadExport);
  expect(file).toMatchObject({ format: 'gumroad', errors: { count: 0 } });
  expect(summaryOf(file)).toEqual([
    'Aa1== 4900 0 0 USD ada@example.com https://twitter.com/ 2026-01-31T09:30:15.000Z',
    'Bb2== 4900 1050 0 USD bo@example.com direct 2026-02-01T10:00:00.000Z',
    'Cc3== 4900 4900 0 USD cy@example.com direct 2026-02-02T10:00:00.000Z',
    'Dd4== 4900 0 4900 USD di@example.com direct 2026-02-03T10:00:00.000Z',
  ]);
  expect(skippedIn(file)).toEqual([
    '6 The amount is 0.',
    '7 A free trial: nothing was paid.',
    '8 The sums of the file.',
  ]);
});

it('Lemon Squeezy orders are read with decimals or in cents, without test orders', async () => {
  const file = await read(lemonSqueezyExport);
  expect(file).toMatchObject({ format: 'lemonSqueezy', errors: { count: 0 } });
  const sales = [
    '0a-1 5831 0 0 USD ada@example.com  2026-01-31T09:30:15.000Z',
    '0a-2 4900 1000 0 EUR bo@example.com  2026-02-01T10:00:00.000Z',
    '0a-3 4900 4900 0 USD cy@example.com  2026-02-02T10:00:00.000Z',
  ];
  expect(summaryOf(file)).toEqual(sales);
  expect(skippedIn(file)).toEqual([
    '5 Status “failed”: no money was received.',
    '6 Status “pending”: no money was received.',
    '7 A test order.',
  ]);
  const inCents = await read(lemonSqueezyExport.replaceAll(/(\d)\.(\d\d),/g, '$1$2,'));
  expect(inCents.options?.decimals).toBe('cents');
  expect(summaryOf(inCents)).toEqual(sales);
});

it('PayPal activity has one sale for each payment received, less its refunds', async () => {
  const file = await read(payPalExport);
  expect(file).toMatchObject({
    format: 'payPal',
    options: { decimals: 'comma' },
    hasOpenDates: false,
    errors: { count: 0 },
  });
  expect(summaryOf(file)).toEqual([
    'T1 123450 0 0 EUR ada@example.com  2026-01-31T08:30:15.000Z',
    'T2 9700 4700 0 EUR bo@example.com  2026-02-01T09:00:00.000Z',
  ]);
  expect(skippedIn(file)).toEqual([
    '6 “Website Payment” moved no money.',
    '7 A refund whose payment, T0, is not in this file. Choose a file with both.',
    '8 “General Withdrawal” is no sale.',
    '9 A payment that you made.',
    '10 “General Currency Conversion” is no sale.',
  ]);
});

it('another file is read by the columns that the owner chose', async () => {
  const guess = await read(otherExport);
  expect(guess).toMatchObject({
    format: 'other',
    hasOpenDates: true,
    options: {
      columns: { id: 'Order number', amount: 'Total', date: 'Order date' },
      currency: 'USD',
      decimals: 'point',
      isDayFirst: false,
      timeZone: 'Europe/Berlin',
    },
  });
  if (!guess.options) throw new Error('There are no options.');
  const file = await read(otherExport, {
    ...guess.options,
    columns: { ...guess.options.columns, email: 'Buyer' },
    currency: 'CHF',
    isDayFirst: true,
  });
  expect(summaryOf(file)).toEqual([
    '1001 9700 0 0 CHF ada@example.com  2026-02-01T09:00:00.000Z',
    '1002 125000 25000 0 CHF bo@example.com  2026-02-02T09:00:00.000Z',
  ]);
  expect(skippedIn(file)).toEqual(['5 Status “pending”: no money was received.']);
});

it('another file counts what its status says was received', async () => {
  const lines = ['paid', 'Processing', '', 'Not paid', 'Failed', 'Cancelled', 'refunded'];
  const text = [
    'id,amount,Zahlung,refunded',
    ...lines.map((status, i) => `${i},10.00,${status},0.00`),
    '7,10.00,Refunded,2.50',
    '8,10.00,Chargeback,',
    '9,10.00,disputed,',
  ].join('\n');
  const columns = { id: 'id', amount: 'amount', refunded: 'refunded', status: 'Zahlung' };
  const { options } = await read(text);
  if (!options) throw new Error('The file is in another format.');
  const file = await read(text, { ...options, columns });
  expect(
    file.sales.map(({ id, refunded, disputed }) => [id, refunded, disputed].join(' ')),
  ).toEqual(['0 0 0', '1 0 0', '2 0 0', '6 1000 0', '7 250 0', '8 1000 0', '9 0 1000']);
  expect(skippedIn(file)).toEqual([
    '5 Status “Not paid”: no money was received.',
    '6 Status “Failed”: no money was received.',
    '7 Status “Cancelled”: no money was received.',
  ]);
  // The columns of shops with several of them.
  const shop = 'id,amount,Status,Payment status\n1,10.00,shipped,refunded';
  expect((await read(shop)).sales).toMatchObject([{ refunded: 1000 }]);
});

it('a line that does not fit the options is an error with its line and column', async () => {
  const text = stripeExport
    .replace('"1,250.50",', '"1.250,50",')
    .replace('2026-02-02 10:00:00', 'yesterday')
    .replace(
      ',usd,true,97.00,usd,Audit,3.11,Live,Paid,eve',
      ',dollars,true,97.00,usd,Audit,3.11,Live,Paid,eve',
    );
  const { errors } = await read(text);
  expect(errors.shown).toEqual([
    'Line 3, column Amount: “1.250,50” is not an amount like 1,234.56.',
    'Line 4, column Created date (UTC): “yesterday” is not a date like 2026-01-31.',
    'Line 7, column Currency: Please give a currency such as USD.',
  ]);
});

it('a file with two lines of one id counts the first and says so', async () => {
  const { sales, skipped } = await read('Order number,Total\n1,97.00\n1,98.00\n');
  expect(sales).toMatchObject([{ id: '1', amount: 9700, at: now }]);
  expect(skipped).toEqual([{ line: 3, reason: 'Line 2 has the same id, 1.' }]);
});

it('a chargeback that was won is no refund', async () => {
  const row = (type: string, gross: string, id: string) =>
    `01/31/2026,09:30:15,PST,Ada,${type},Completed,USD,${gross},ada@example.com,${id},${id === 'T1' ? '' : 'T1'}`;
  const { sales } = await read(
    [
      'Date,Time,TimeZone,Name,Type,Status,Currency,Gross,From Email Address,Transaction ID,Reference Txn ID',
      row('Website Payment', '97.00', 'T1'),
      row('Chargeback', '-97.00', 'T2'),
      row('Chargeback Fee', '-20.00', 'T3'),
      row('Chargeback Reversal', '97.00', 'T4'),
    ].join('\n'),
  );
  expect(sales).toMatchObject([{ id: 'T1', amount: 9700, refunded: 0 }]);
});

it('a file of many rows is read in slices', async () => {
  const rows = Array.from({ length: 5000 }, (_, n) => `${n},97.00`).join('\n');
  let isDone = false;
  const reading = read(`Order number,Total\n${rows}`).finally(() => {
    isDone = true;
  });
  let turns = 0;
  for (; !isDone; turns += 1) await yieldToEventLoop();
  expect((await reading).sales).toHaveLength(5000);
  expect(turns).toBeGreaterThan(20);
});

it.each([
  ['sales', 'a,1,USD\nb,1,USD\n'],
  ['blank lines', '\n'.repeat(100_000)],
  ['rows of one cell', 'x\nx\n'],
])('a file with too many rows is rejected, also of %s', async (_, rows) => {
  const reading = readSales(`id,amount,currency\n${rows}`, { now, timeZone: 'UTC', maxRows: 1 });
  await expect(reading).rejects.toMatchObject({
    code: 'INVALID_FILE',
    message: expect.stringContaining('more than 1 rows'),
  });
});

it.each([
  ['many columns', 'x,'.repeat(1000)],
  ['a long name', 'x'.repeat(201)],
])('a header with %s is rejected', async (_, names) => {
  await expect(read(`Total,${names}\n1,2\n`)).rejects.toMatchObject({
    code: 'INVALID_FILE',
    message: expect.stringContaining('at most 1000 columns'),
  });
});

it('an error that quotes a long cell is shortened', async () => {
  const { errors } = await read(`Order number,Total\n1,${'x'.repeat(10_000)}\n`);
  expect(errors.shown.map(({ length }) => length)).toEqual([301]);
});

it('an empty cell of a column with the name of an object’s property is empty', async () => {
  const text = 'Order number,Total,constructor\nA-1,1.00,\n';
  const { options } = await read(text);
  if (!options) throw new Error('The file was taken for our own format.');
  const columns = { ...options.columns, source: 'constructor' };
  const file = await read(text, { ...options, columns });
  expect(file.errors.shown).toEqual([]);
  expect(file.sales).toHaveLength(1);
});
