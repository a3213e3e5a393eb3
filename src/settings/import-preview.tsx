import { Box, chakra, Text } from '@chakra-ui/react';
import { money } from '../../server/contract/money.ts';
import { formatNumber, pluralize } from '../../server/contract/numbers.ts';
import { dateAndTime } from '../../server/contract/times.ts';
import { OwnerAlert } from '../admin/alert.tsx';
import { Details } from '../admin/details.tsx';
import { Note } from '../admin/panel.tsx';
import { Table } from '../admin/table.tsx';
import type { Preview } from './use-import.ts';

/** What a file holds and what its import would do. */
export function ImportPreview({ preview }: { preview: Preview }) {
  const { rows, totals, errors, skipped } = preview;
  return (
    <Box mt="6">
      <Text fontWeight="600">{summaryOf(preview)}</Text>
      {errors.count > 0 && (
        <OwnerAlert role="alert" maxW="65ch">
          <span>
            {errors.count === 1
              ? '1 line has an error'
              : `${formatNumber(errors.count)} lines have errors`}
          </span>
          <span>
            , so nothing can be imported. Change how the file is read, or correct the file.
          </span>
        </OwnerAlert>
      )}
      <Lines lines={errors.shown} count={errors.count} />
      {totals.length > 0 && (
        <Scroll role="group" aria-label="Totals" tabIndex={0}>
          <Table>
            <caption>Totals of the file</caption>
            <thead>
              <tr>
                <th scope="col">Currency</th>
                <th scope="col">Sales</th>
                <th scope="col">Amount</th>
                <th scope="col">Refunded</th>
              </tr>
            </thead>
            <tbody>
              {totals.map(({ currency, sales, amount, refunded }) => (
                <tr key={currency}>
                  <th scope="row">{currency}</th>
                  <td>{formatNumber(sales)}</td>
                  <td>{money(amount, currency)}</td>
                  <td>{money(refunded, currency)}</td>
                </tr>
              ))}
            </tbody>
          </Table>
        </Scroll>
      )}
      {rows.length > 0 && (
        <Scroll role="group" aria-label="First sales, as they will be stored" tabIndex={0}>
          <Table>
            <caption>First sales, as they will be stored</caption>
            <thead>
              <tr>
                <th scope="col">Sale</th>
                <th scope="col">Date</th>
                <th scope="col">Buyer</th>
                <th scope="col">Source</th>
                <th scope="col">Amount</th>
                <th scope="col">Refunded</th>
                <th scope="col">Disputed</th>
              </tr>
            </thead>
            <tbody>
              {rows.map(({ line, id, timestamp, email, source, currency, ...sums }) => (
                <tr key={line}>
                  <th scope="row">{id}</th>
                  <td>{dateAndTime(timestamp)}</td>
                  <td>{email ?? 'Anonymous'}</td>
                  <td>{source ?? 'Direct'}</td>
                  <td>{money(sums.amount, currency)}</td>
                  <td>{sums.refunded > 0 ? money(sums.refunded, currency) : '–'}</td>
                  <td>{sums.disputed > 0 ? money(sums.disputed, currency) : '–'}</td>
                </tr>
              ))}
            </tbody>
          </Table>
        </Scroll>
      )}
      {skipped.count > 0 && (
        <Details>
          <summary>
            {skipped.count === 1
              ? '1 line is left out'
              : `${formatNumber(skipped.count)} lines are left out`}
          </summary>
          <Lines
            lines={skipped.shown.map(({ line, reason }) => `Line ${line}: ${reason}`)}
            count={skipped.count}
          />
        </Details>
      )}
    </Box>
  );
}

function Lines({ lines, count }: { lines: readonly string[]; count: number }) {
  if (lines.length === 0) return null;
  return (
    <>
      <List>
        {lines.map((line) => (
          <li key={line}>{line}</li>
        ))}
      </List>
      {count > lines.length && <Note>{`… and ${formatNumber(count - lines.length)} more.`}</Note>}
    </>
  );
}

function summaryOf({ added, changed, known, totals, dates }: Preview): string {
  if (!dates) return 'There is no sale in this file.';
  const [first, last] = [dates.first, dates.last].map((date) => dateAndTime(date));
  const parts = [
    `${formatNumber(added)} new`,
    ...(changed > 0 ? [`${formatNumber(changed)} with a new refund`] : []),
    ...(known > 0 ? [`${formatNumber(known)} already there`] : []),
  ];
  const count = totals.reduce((sum, { sales }) => sum + sales, 0);
  return `${pluralize(count, 'sale')} from ${first} to ${last}: ${parts.join(', ')}.`;
}

/** A table that scrolls by itself on narrow screens. */
const Scroll = chakra('div', {
  base: {
    mt: '5',
    overflowX: 'auto',
    '& :is(th, td)': { whiteSpace: 'nowrap' },
    '& caption': { textAlign: 'start', fontWeight: '600' },
  },
});

const List = chakra('ul', {
  base: { mt: '3', textStyle: 'small', overflowWrap: 'anywhere', '& li': { py: '0.5' } },
});
