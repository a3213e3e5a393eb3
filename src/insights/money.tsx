import { Box, Code, Flex, Text } from '@chakra-ui/react';
import { money } from '../../server/contract/money.ts';
import { OwnerAlert } from '../admin/alert.tsx';
import { dollars, wholeNumber } from '../admin/format.ts';
import { Panel } from '../admin/panel.tsx';
import type { Report, StripeReconciliation } from '../admin/report.ts';
import { ago } from './dates.ts';

/**
 * Breaks revenue down by sales, refunds, open disputes, other currencies and other sales, and shows the
 * reconciliation with Stripe. Renders nothing when there is neither.
 */
export function MoneyPanel({
  report: { figures, otherCurrencies, otherSales, stripe, receivedAt },
}: {
  report: Report;
}) {
  const { totalRevenue, refundedRevenue, disputedRevenue } = figures;
  const hasRows =
    refundedRevenue > 0 || disputedRevenue > 0 || otherCurrencies.length + otherSales.length > 0;
  if (!hasRows && !stripe) return null;
  return (
    <Panel title="Money">
      {hasRows && (
        <Box as="dl" maxW="40rem">
          <Row name="Gross sales" amount={dollars(totalRevenue + refundedRevenue)} />
          <Row name="Refunds" amount={dollars(0 - refundedRevenue)} />
          <Row name="Revenue" amount={dollars(totalRevenue)} isSum />
          {disputedRevenue > 0 && <Row name="In open disputes" amount={dollars(disputedRevenue)} />}
          {otherCurrencies.map(({ currency, conversions, revenue }) => (
            <Row
              key={currency}
              name={`Sales in ${currency} (${wholeNumber(conversions)})`}
              amount={money(revenue, currency)}
            />
          ))}
          {otherSales.map(({ currency, conversions, revenue }) => (
            <Row
              key={`other ${currency}`}
              name={`Other sales, not counted (${wholeNumber(conversions)})`}
              amount={money(revenue, currency)}
            />
          ))}
        </Box>
      )}
      {stripe && <Reconciled stripe={stripe} now={receivedAt} />}
    </Panel>
  );
}

/** Reconciliation runs hourly; its age is shown when it is older than this, in ms. */
const freshMs = 2 * 60 * 60_000;

function Reconciled({ stripe, now }: { stripe: StripeReconciliation; now: number }) {
  const { net, ourNet, checkedAt, lastEventAt, differing = 0, payments = [] } = stripe;
  const isCompared = typeof net === 'number' && typeof ourNet === 'number';
  const matches = isCompared && net === ourNet && differing === 0;
  const reported = isCompared && `Stripe reports ${dollars(net)} for the last 30 days. `;
  return (
    <>
      {isCompared && !matches && (
        <OwnerAlert role="alert" maxW="40rem" overflowWrap="anywhere">
          {reported}This site recorded {dollars(ourNet)}. {adviceOn(differing, payments)}{' '}
          <Code fontFamily="monospace" fontSize="0.9em" whiteSpace="nowrap">
            npm run admin -- verify
          </Code>{' '}
          to recount.
        </OwnerAlert>
      )}
      <Text mt="4" maxW="40rem" color="fg.muted">
        {matches && `${reported}The figures match. `}
        {checkedAt && now - Date.parse(checkedAt) > freshMs && `Compared ${ago(checkedAt, now)}. `}
        {lastEventAt
          ? `Last Stripe event: ${ago(lastEventAt, now)}.`
          : 'No Stripe event received yet.'}
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
    : `${wholeNumber(differing)} payments differ: ${payments.join(', ')}${more}. Check them in Stripe, then run`;
}

function Row({ name, amount, isSum = false }: { name: string; amount: string; isSum?: boolean }) {
  return (
    <Flex
      justify="space-between"
      columnGap="6"
      py="2.5"
      borderTop={isSum ? '2px solid {colors.fg}' : undefined}
      borderBottom="1px solid {colors.hairline}"
      fontVariantNumeric="tabular-nums"
      fontWeight={isSum ? '700' : undefined}
    >
      <dt>{name}</dt>
      <dd>{amount}</dd>
    </Flex>
  );
}
