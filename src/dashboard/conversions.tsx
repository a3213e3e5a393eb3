import { chakra } from '@chakra-ui/react';
import { dateAndTime, money, wholeNumber } from '../admin/format.ts';
import { Panel } from '../admin/panel.tsx';
import type { Conversion } from './dashboard-data.ts';

/** Lists the latest sales. `recent` is undefined until the first response. */
export function ConversionsPanel({
  count,
  recent,
}: {
  /** All sales of the period, listed or not. */
  count: number;
  recent: Partial<Conversion>[] | undefined;
}) {
  return (
    <Panel
      title="Recent Conversions"
      aside={
        <Badge>
          {wholeNumber(count)}
          <chakra.span srOnly> in this period</chakra.span>
        </Badge>
      }
    >
      {recent?.length === 0 && <Empty />}
      {recent && recent.length > 0 && (
        <ol>
          {recent.map((conversion, index) => (
            <SaleRow key={conversion.id ?? index} conversion={conversion} />
          ))}
        </ol>
      )}
    </Panel>
  );
}

/** A sale as a list item. */
export function SaleRow({ conversion }: { conversion: Partial<Conversion> }) {
  const { email, timestamp, source, conversionValue = 0, currency } = conversion;
  return (
    <Line>
      <chakra.p gridArea="who" fontWeight="600" lineHeight="1.4">
        {email ? <EmailAddress>{email}</EmailAddress> : 'Anonymous'}
      </chakra.p>
      <TimeAndSource>
        {timestamp && <time dateTime={timestamp}>{dateAndTime(timestamp)}</time>}
        <span>Source: {source || 'Direct'}</span>
      </TimeAndSource>
      <chakra.p
        gridArea="value"
        textAlign="end"
        fontWeight="700"
        lineHeight="1.4"
        whiteSpace="nowrap"
      >
        {money(conversionValue, currency || 'USD')}
        {refundNotes(conversion).map((note) => (
          <chakra.span key={note} display="block" textStyle="small" color="fg.muted">
            {note}
          </chakra.span>
        ))}
      </chakra.p>
    </Line>
  );
}

/** Amounts refunded or disputed since the sale. Revenue figures already exclude refunds. */
function refundNotes({
  conversionValue,
  refunded,
  disputed,
  currency,
}: Partial<Conversion>): string[] {
  const part = (amount: number, word: string) =>
    amount === conversionValue
      ? `${word[0]?.toUpperCase()}${word.slice(1)}`
      : `${money(amount, currency || 'USD')} ${word}`;
  return [
    ...(refunded ? [part(refunded, 'refunded')] : []),
    ...(disputed ? [part(disputed, 'disputed')] : []),
  ];
}

/** Four columns on wide screens, two lines on narrow ones. */
const Line = chakra('li', {
  base: {
    display: 'grid',
    gridTemplateAreas: {
      base: '"who value" "circumstances value"',
      lg: '"who time source value"',
    },
    gridTemplateColumns: {
      base: 'minmax(0, 1fr) auto',
      lg: 'minmax(0, 5fr) minmax(0, 3fr) minmax(0, 3fr) 8rem',
    },
    alignItems: 'baseline',
    columnGap: '6',
    py: '2.5',
    borderBottom: '1px solid {colors.hairline}',
    fontVariantNumeric: 'tabular-nums',
    overflowWrap: 'anywhere',
  },
});

/** Time and source of a sale. */
const TimeAndSource = chakra('p', {
  base: {
    gridArea: 'circumstances',
    display: { base: 'flex', lg: 'contents' },
    flexWrap: 'wrap',
    columnGap: '5',
    textStyle: 'small',
    color: 'fg.muted',
    '& time': { gridArea: 'time' },
    '& span': { gridArea: 'source' },
  },
});

/** Allows a line break after the @. */
function EmailAddress({ children }: { children: string }) {
  const [name, ...host] = children.split('@');
  return host.length === 0 ? (
    name
  ) : (
    <>
      {name}@<wbr />
      {host.join('@')}
    </>
  );
}

function Empty() {
  return (
    <chakra.div py="6">
      <chakra.p textStyle="h4">No conversions yet</chakra.p>
      <chakra.p color="fg.muted" mt="1">
        Start promoting your landing page to see results!
      </chakra.p>
    </chakra.div>
  );
}

const Badge = chakra('span', {
  base: {
    minW: '8',
    px: '2.5',
    border: '2px solid',
    borderRadius: '1em',
    textStyle: 'small',
    fontWeight: '700',
    fontVariantNumeric: 'tabular-nums',
    textAlign: 'center',
  },
});
