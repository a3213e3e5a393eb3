import { chakra } from '@chakra-ui/react';
import type { CurrencySum, Figures } from './answer.ts';
import { dollars, money, wholeNumber } from './format.ts';
import { Panel } from './panel.tsx';

/**
 * What the revenue is made of, where there is more to say than its sum: what was given back, what may
 * still be, and what was paid in other currencies.
 */
export function MoneyPanel({ figures, others }: { figures: Figures; others: CurrencySum[] }) {
  const { totalRevenue, refundedRevenue, disputedRevenue } = figures;
  if (refundedRevenue === 0 && disputedRevenue === 0 && others.length === 0) return null;
  return (
    <Panel title="Money">
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
    </Panel>
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
