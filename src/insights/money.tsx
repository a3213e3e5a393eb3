import { chakra } from '@chakra-ui/react';
import { OwnerAlert } from '../admin/alert.tsx';
import { dollars, money, wholeNumber } from '../admin/format.ts';
import { Panel } from '../admin/panel.tsx';
import type { CurrencySum, Figures, StripeReconciliation } from '../dashboard/dashboard-data.ts';
import { ago } from './ago.ts';

/**
 * Breaks revenue down by sales, refunds, open disputes and other currencies, and shows the
 * reconciliation with Stripe. Renders nothing when there is neither.
 */
export function MoneyPanel({
  figures,
  others,
  stripe,
  receivedAt = 0,
}: {
  figures: Figures;
  others: CurrencySum[];
  stripe?: StripeReconciliation | null | undefined;
  /** When the response arrived, by the browser's clock, in ms since 1970. */
  receivedAt?: number | undefined;
}) {
  const { totalRevenue, refundedRevenue, disputedRevenue } = figures;
  const hasRows = refundedRevenue > 0 || disputedRevenue > 0 || others.length > 0;
  if (!hasRows && !stripe) return null;
  return (
    <Panel title="Money">
      {hasRows && (
        <chakra.dl maxW="40rem">
          <Row name="Gross sales" amount={dollars(totalRevenue + refundedRevenue)} />
          <Row name="Refunds" amount={dollars(0 - refundedRevenue)} />
          <Row name="Revenue" amount={dollars(totalRevenue)} isSum />
          {disputedRevenue > 0 && <Row name="In open disputes" amount={dollars(disputedRevenue)} />}
          {others.map(({ currency, conversions, revenue }) => (
            <Row
              key={currency}
              name={`Sales in ${currency} (${wholeNumber(conversions)})`}
              amount={money(revenue, currency)}
            />
          ))}
        </chakra.dl>
      )}
      {stripe && <Reconciled stripe={stripe} now={receivedAt} />}
    </Panel>
  );
}

/** Reconciliation runs hourly; its age is shown when it is older than this, in ms. */
const fresh = 2 * 60 * 60_000;

function Reconciled({ stripe, now }: { stripe: StripeReconciliation; now: number }) {
  const { net, ourNet, checkedAt, lastEventAt, differing = 0, payments = [] } = stripe;
  const reported =
    typeof net === 'number' && `Stripe reports ${dollars(net)} for the last 30 days. `;
  return (
    <>
      {reported && differing > 0 && (
        <OwnerAlert role="alert" maxW="40rem" overflowWrap="anywhere">
          {reported}This site recorded {dollars(ourNet ?? 0)}. {wholeNumber(differing)}{' '}
          {differing === 1 ? 'payment differs' : 'payments differ'}: {payments.join(', ')}
          {differing > payments.length && ' and more'}. Check {differing === 1 ? 'it' : 'them'} in
          Stripe, then run <Command>npm run admin -- verify</Command> to recount.
        </OwnerAlert>
      )}
      <chakra.p mt="4" maxW="40rem" color="fg.muted">
        {reported && differing === 0 && `${reported}The figures match. `}
        {checkedAt && now - Date.parse(checkedAt) > fresh && `Compared ${ago(checkedAt, now)}. `}
        {lastEventAt
          ? `Last Stripe event: ${ago(lastEventAt, now)}.`
          : 'No Stripe event received yet.'}
      </chakra.p>
    </>
  );
}

function Row({ name, amount, isSum = false }: { name: string; amount: string; isSum?: boolean }) {
  return (
    <Line data-sum={isSum || undefined}>
      <dt>{name}</dt>
      <dd>{amount}</dd>
    </Line>
  );
}

const Command = chakra('code', {
  base: { fontFamily: 'monospace', fontSize: '0.9em', whiteSpace: 'nowrap' },
});

const Line = chakra('div', {
  base: {
    display: 'flex',
    justifyContent: 'space-between',
    columnGap: '6',
    py: '2.5',
    borderBottom: '1px solid {colors.hairline}',
    fontVariantNumeric: 'tabular-nums',
    '&[data-sum]': { fontWeight: '700', borderTop: '2px solid {colors.fg}' },
  },
});
