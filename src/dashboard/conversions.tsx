import { Badge, chakra, defineStyle, List, Span, Text, VisuallyHidden } from '@chakra-ui/react';
import { money } from '../../server/contract/money.ts';
import { EmptyState } from '../admin/empty-state.tsx';
import { dateAndTime, wholeNumber } from '../admin/format.ts';
import { Panel } from '../admin/panel.tsx';
import type { Conversion } from '../admin/report.ts';

/** Lists the latest sales. `recent` is undefined until the first response. */
export function ConversionsPanel({
  count,
  recent,
}: {
  /** All sales of the period, listed or not. */
  count: number;
  recent: Conversion[] | undefined;
}) {
  return (
    <Panel
      title="Recent Conversions"
      aside={
        <Badge flexShrink="0" minW="8" px="2.5" fontWeight="700" textAlign="center">
          {wholeNumber(count)}
          <VisuallyHidden> in this period</VisuallyHidden>
        </Badge>
      }
    >
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
        display={{ base: 'flex', lg: 'contents' }}
        flexWrap="wrap"
        columnGap="5"
        textStyle="small"
        color="fg.muted"
      >
        {timestamp && (
          <chakra.time gridArea="time" dateTime={timestamp}>
            {dateAndTime(timestamp)}
          </chakra.time>
        )}
        <Span gridArea="source">Source: {source || 'Direct'}</Span>
      </Text>
      <Text gridArea="value" textAlign="end" fontWeight="700" lineHeight="1.4" whiteSpace="nowrap">
        {money(conversionValue, currency || 'USD')}
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

/** Four columns on wide screens, two lines on narrow ones. */
const columns = defineStyle({
  display: 'grid',
  gridTemplateAreas: {
    base: '"buyer value" "details value"',
    lg: '"buyer time source value"',
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
