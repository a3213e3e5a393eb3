import { Code, Text } from '@chakra-ui/react';
import { money } from '../../server/contract/money.ts';
import { formatNumber, pluralize } from '../../server/contract/numbers.ts';
import { OwnerAlert } from '../admin/alert.tsx';
import { useMoney } from '../admin/currency.ts';
import { filterTexts } from '../admin/filter-names.ts';
import { Note, Panel } from '../admin/panel.tsx';
import type { Report, StripeReconciliation } from '../admin/report.ts';
import { Cash, hasCash } from './cash.tsx';
import { ago } from './dates.ts';
import { FigureRow } from './figure-row.tsx';

/**
 * Breaks revenue down by sales, refunds, open disputes, other currencies and sales that do not count, and
 * shows the cash of the period and the reconciliation with Stripe. Renders nothing without any of them.
 */
export function MoneyPanel({
  report: { figures, filter, otherCurrencies, otherSales, cash, stripe, receivedAt },
}: {
  report: Report;
}) {
  const written = useMoney();
  const { totalRevenue, refundedRevenue, disputedRevenue } = figures;
  const hasRows =
    refundedRevenue > 0 || disputedRevenue > 0 || otherCurrencies.length + otherSales.length > 0;
  const hasMoved = hasCash(cash);
  const isFiltered = filterTexts(filter).length > 0;
  if (!hasRows && !hasMoved && !stripe && !isFiltered) return null;
  return (
    <Panel title="Money">
      {(hasRows || hasMoved || isFiltered) && (
        <>
          <dl>
            <FigureRow name="Gross sales" figure={written(totalRevenue + refundedRevenue)} />
            <FigureRow name="Refunds and lost disputes" figure={written(0 - refundedRevenue)} />
            <FigureRow name="Revenue" figure={written(totalRevenue)} isSum />
            {disputedRevenue > 0 && (
              <FigureRow name="Of this, in open disputes" figure={written(disputedRevenue)} />
            )}
            {otherCurrencies.map(({ currency, conversions, revenue }) => (
              <FigureRow
                key={currency}
                name={`Revenue in ${currency} (${pluralize(conversions, 'sale')})`}
                figure={money(revenue, currency)}
              />
            ))}
            {otherSales.map(({ currency, conversions, revenue }) => (
              <FigureRow
                key={`other ${currency}`}
                name={`Other sales, not counted (${formatNumber(conversions)})`}
                figure={money(revenue, currency)}
              />
            ))}
          </dl>
          {hasMoved && <Cash cash={cash} />}
        </>
      )}
      {isFiltered && (
        <Note>Cash and Stripe’s figures are of all sales. Remove the filter to see them.</Note>
      )}
      {stripe && !isFiltered && <Reconciled stripe={stripe} now={receivedAt} />}
    </Panel>
  );
}

/** Reconciliation runs hourly; its age is shown when it is older than this, in ms. */
const freshMs = 2 * 60 * 60_000;

function Reconciled({ stripe, now }: { stripe: StripeReconciliation; now: number }) {
  const { net, ourNet, checkedAt, lastEventAt, differing = 0, payments = [] } = stripe;
  const written = useMoney();
  const isCompared = typeof net === 'number' && typeof ourNet === 'number';
  const matches = isCompared && net === ourNet && differing === 0;
  const reported = isCompared && `Stripe reports ${written(net)} for the last 30 days. `;
  return (
    <>
      {isCompared && !matches && (
        <OwnerAlert role="alert" maxW="40rem" overflowWrap="anywhere">
          <span>{`${reported}This site recorded ${written(ourNet)}. ${adviceOn(differing, payments)} `}</span>
          <Code fontFamily="monospace" fontSize="0.9em" whiteSpace="nowrap">
            npm run admin -- verify
          </Code>
          <span> to recount.</span>
        </OwnerAlert>
      )}
      <Text mt="4" maxW="40rem" color="fg.muted">
        {matches && <span>{`${reported}The figures match. `}</span>}
        {checkedAt && now - Date.parse(checkedAt) > freshMs && (
          <span>{`Compared ${ago(checkedAt, now)}. `}</span>
        )}
        <span>
          {lastEventAt
            ? `Last Stripe event: ${ago(lastEventAt, now)}.`
            : 'No Stripe event received yet.'}
        </span>
      </Text>
    </>
  );
}

/** `1 payment differs: pi_1. Check it in Stripe, then run`, or `Run` when none is named. */
function adviceOn(differing: number, payments: string[]): string {
  if (differing === 0) return 'Run';
  const more = differing > payments.length ? ' and more' : '';
  return differing === 1
    ? `1 payment differs: ${payments.join()}. Check it in Stripe, then run`
    : `${formatNumber(differing)} payments differ: ${payments.join(', ')}${more}. Check them in Stripe, then run`;
}
