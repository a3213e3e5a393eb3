import { chakra } from '@chakra-ui/react';
import { OwnerAlert } from '../admin/alert.tsx';
import { dollars, money, wholeNumber } from '../admin/format.ts';
import { Panel } from '../admin/panel.tsx';
import type { CurrencySum, Figures, SaidByStripe } from '../dashboard/dashboard-data.ts';
import { ago } from './ago.ts';

/**
 * What the revenue is made of, where there is more to say than its sum: what was given back, what may
 * still be, what was paid in other currencies, and whether Stripe says the same.
 */
export function MoneyPanel({
  figures,
  others,
  stripe,
  receivedAt = 0,
}: {
  figures: Figures;
  others: CurrencySum[];
  stripe?: SaidByStripe | null | undefined;
  /** When all of this arrived, by this machine's clock, in milliseconds since 1970. */
  receivedAt?: number | undefined;
}) {
  const { totalRevenue, refundedRevenue, disputedRevenue } = figures;
  const hasRows = refundedRevenue > 0 || disputedRevenue > 0 || others.length > 0;
  if (!hasRows && !stripe) return null;
  return (
    <Panel title="Money">
      {hasRows && (
        <chakra.dl maxW="40rem">
          <Row name="Sales of this period" amount={dollars(totalRevenue + refundedRevenue)} />
          <Row name="Given back since" amount={dollars(0 - refundedRevenue)} />
          <Row name="Revenue" amount={dollars(totalRevenue)} isSum />
          {disputedRevenue > 0 && (
            <Row name="Of it in open disputes" amount={dollars(disputedRevenue)} />
          )}
          {others.map(({ currency, conversions, revenue }) => (
            <Row
              key={currency}
              name={`Beside it, in ${currency} (${wholeNumber(conversions)})`}
              amount={money(revenue, currency)}
            />
          ))}
        </chakra.dl>
      )}
      {stripe && <Reconciled stripe={stripe} now={receivedAt} />}
    </Panel>
  );
}

/** A comparison is made every hour; one older than this, in ms, says how old it is. */
const fresh = 2 * 60 * 60_000;

function Reconciled({ stripe, now }: { stripe: SaidByStripe; now: number }) {
  const { net, ourNet, checkedAt, lastEventAt, differing = 0, payments = [] } = stripe;
  const said = typeof net === 'number' && `Stripe says ${dollars(net)} in the last 30 days, `;
  return (
    <>
      {said && differing > 0 && (
        <OwnerAlert role="alert" maxW="40rem" overflowWrap="anywhere">
          {said}we say {dollars(ourNet ?? 0)}. {wholeNumber(differing)}{' '}
          {differing === 1 ? 'payment differs' : 'payments differ'}: {payments.join(', ')}
          {differing > payments.length && ' and more'}. Look for {differing === 1 ? 'it' : 'them'}{' '}
          in Stripe, and let <Command>npm run admin -- verify</Command> recount what is here.
        </OwnerAlert>
      )}
      <chakra.p mt="4" maxW="40rem" color="fg.muted">
        {said && differing === 0 && `${said}and so do we. `}
        {checkedAt && now - Date.parse(checkedAt) > fresh && `Compared ${ago(checkedAt, now)}. `}
        {lastEventAt
          ? `Last heard from Stripe ${ago(lastEventAt, now)}.`
          : 'Nothing was heard from Stripe yet.'}
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
