import { defineStyle, List, Span, Text } from '@chakra-ui/react';
import { money } from '../../server/contract/money.ts';
import { dateAndTime } from '../../server/contract/times.ts';
import { CountBadge } from '../admin/count-badge.tsx';
import { EmptyState } from '../admin/empty-state.tsx';
import { Panel } from '../admin/panel.tsx';
import type { Conversion } from '../admin/report.ts';

/** Lists the latest sales. Both are undefined while they are not known. */
export function ConversionsPanel({
  count,
  recent,
}: {
  /** All sales of the period, listed or not. */
  count: number | undefined;
  recent: Conversion[] | undefined;
}) {
  return (
    <Panel title="Recent Conversions" aside={<CountBadge n={count} />}>
      {recent?.length === 0 && (
        <EmptyState
          title="No conversions yet"
          hint="Start promoting your landing page to see results!"
        />
      )}
      {recent && recent.length > 0 && (
        <List.Root as="ol">
          {recent.map((conversion, index) => (
            <SaleRow key={conversion.id ?? index} conversion={conversion} />
          ))}
        </List.Root>
      )}
    </Panel>
  );
}

/** A sale as a list item. */
export function SaleRow({ conversion }: { conversion: Conversion }) {
  const { email, timestamp, source, conversionValue = 0, currency } = conversion;
  return (
    <List.Item css={columns}>
      <Text gridArea="buyer" fontWeight="600" lineHeight="1.4">
        {email ? <EmailAddress>{email}</EmailAddress> : 'Anonymous'}
      </Text>
      <Text
        gridArea="details"
        display="flex"
        flexWrap="wrap"
        columnGap="5"
        textStyle="small"
        color="fg.muted"
      >
        {timestamp && <time dateTime={timestamp}>{dateAndTime(timestamp)}</time>}
        <Span>{`Source: ${source || 'Direct'}`}</Span>
      </Text>
      <Text gridArea="value" textAlign="end" fontWeight="700" lineHeight="1.4" whiteSpace="nowrap">
        <span>{money(conversionValue, currency || 'USD')}</span>
        {refundNotes(conversion).map((note) => (
          <Span key={note} display="block" textStyle="small" color="fg.muted">
            {note}
          </Span>
        ))}
      </Text>
    </List.Item>
  );
}

/** Amounts refunded or disputed since the sale. Revenue figures already exclude refunds. */
function refundNotes({ conversionValue, refunded, disputed, currency }: Conversion): string[] {
  const note = (amount: number, word: string) =>
    amount === conversionValue
      ? `${word[0]?.toUpperCase()}${word.slice(1)}`
      : `${money(amount, currency || 'USD')} ${word}`;
  return [
    ...(refunded ? [note(refunded, 'refunded')] : []),
    ...(disputed ? [note(disputed, 'disputed')] : []),
  ];
}

/** Two lines, with the value to their right. */
const columns = defineStyle({
  display: 'grid',
  gridTemplateAreas: '"buyer value" "details value"',
  gridTemplateColumns: 'minmax(0, 1fr) auto',
  alignItems: 'baseline',
  columnGap: '6',
  py: '2',
  borderBottom: '1px solid {colors.hairline}',
  fontVariantNumeric: 'tabular-nums',
  overflowWrap: 'anywhere',
});

/** Allows a line break after the @. */
function EmailAddress({ children }: { children: string }) {
  const [name, ...host] = children.split('@');
  return host.length === 0 ? (
    name
  ) : (
    <>
      <span>{`${name}@`}</span>
      <wbr />
      <span>{host.join('@')}</span>
    </>
  );
}
