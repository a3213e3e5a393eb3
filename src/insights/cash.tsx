import { Box, Heading } from '@chakra-ui/react';
import { Fragment } from 'react';
import { money } from '../../server/contract/money.ts';
import { Note } from '../admin/panel.tsx';
import type { Report } from '../admin/report.ts';
import { FigureRow } from './figure-row.tsx';

type CashSum = Report['cash'][number];

/** Whether money moved other than by sales, which the revenue already shows. */
export const hasCash = (cash: readonly CashSum[]) =>
  cash.some(({ refunded, lost, tax, fees }) => refunded || lost || tax || fees);

/** The money of the period by its own date, for each currency. */
export function Cash({ cash }: { cash: readonly CashSum[] }) {
  return (
    <>
      <Heading as="h3" fontWeight="600" mt="6">
        Cash of this period
      </Heading>
      {cash.map(({ currency, taken, refunded, lost, tax, fees }) => {
        const row = (name: string, amount: number | null, isSum = false) =>
          amount ? <FigureRow name={name} figure={money(amount, currency)} isSum={isSum} /> : null;
        return (
          <Fragment key={currency}>
            {cash.length > 1 && (
              <Heading as="h4" textStyle="small" color="fg.muted" mt="5">
                {currency}
              </Heading>
            )}
            <Box as="dl" mt="1">
              {row('Taken in', taken)}
              {row('Refunded', -refunded)}
              {row('Lost to disputes', -lost)}
              {row('Stripe’s fees', fees && -fees)}
              {row('Net cash', taken - refunded - lost - (fees ?? 0), true)}
              {row('Tax in these sales', tax)}
            </Box>
          </Fragment>
        );
      })}
      <Note>
        By the date of each payment, refund, lost dispute and fee. Revenue deducts refunds and lost
        disputes at the date of their sale instead.
      </Note>
    </>
  );
}
