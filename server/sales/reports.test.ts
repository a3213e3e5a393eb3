import { expect, it } from 'vitest';
import { all, run, type Statements } from '../database/database.ts';
import { sql } from '../database/sql.ts';
import { engines, openDatabase } from '../testing/engines.ts';
import { reportsBefore, reportsTo } from './reports.ts';

it.each(engines)(
  'reports of a buyer are found without a scan of all reports on $name',
  async (engine) => {
    const place = await engine.create();
    const database = await openDatabase(place);
    const report = `INSERT INTO sale_report (id, reported_at, at, amount, refunded, disputed, currency, email)
    VALUES (?, 0, ?, 1, 0, 0, 'USD', ?)`;
    await database.write(function* () {
      for (let n = 0; n < 2000; n++) {
        yield* run(report, [`s${n}`, n, n % 2 ? null : `buyer${n}@example.com`]);
      }
    });
    await database.write(() => run('ANALYZE'));
    /** Returns the query plan of the first statement. */
    const planOf = (statements: Statements<unknown>) =>
      database.read(function* () {
        const { value } = statements.next();
        const { sql: text, values } = value as { sql: string; values: [] };
        const explain = database.engine === 'postgres' ? 'EXPLAIN' : 'EXPLAIN QUERY PLAN';
        return JSON.stringify(yield* all(sql`${explain} ${text}`, values));
      });
    expect(await planOf(reportsTo('Buyer10@example.com'))).toContain('sale_report_by_email');
    expect(await planOf(reportsBefore(20))).toContain('sale_report_with_email');
    await database.close();
    await place.remove();
  },
);
