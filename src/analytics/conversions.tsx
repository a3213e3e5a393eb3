import { chakra } from '@chakra-ui/react';
import type { Conversion } from './answer.ts';
import { dateAndTime, money, wholeNumber } from './format.ts';
import { Panel } from './panel.tsx';

/** The latest sales. `recent` is undefined while nothing is known of them. */
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
            <Row key={conversion.id ?? index} conversion={conversion} />
          ))}
        </ol>
      )}
    </Panel>
  );
}

function Row({ conversion }: { conversion: Partial<Conversion> }) {
  const { email, timestamp, source, conversionValue = 0, currency } = conversion;
  return (
    <chakra.li
      display="flex"
      justifyContent="space-between"
      gap="4"
      py="3"
      borderBottom="1px solid"
      borderColor="hairline"
    >
      <chakra.div minW="0">
        <chakra.p fontWeight="600" overflowWrap="anywhere" lineHeight="1.4">
          {email ? <EmailAddress>{email}</EmailAddress> : 'Anonymous'}
        </chakra.p>
        <chakra.p
          display="flex"
          flexWrap="wrap"
          columnGap="5"
          textStyle="small"
          color="fg.muted"
          overflowWrap="anywhere"
        >
          {timestamp && <time dateTime={timestamp}>{dateAndTime(timestamp)}</time>}
          <span>Source: {source || 'Direct'}</span>
        </chakra.p>
      </chakra.div>
      <chakra.p
        fontWeight="700"
        fontVariantNumeric="tabular-nums"
        lineHeight="1.4"
        whiteSpace="nowrap"
      >
        {money(conversionValue, currency || 'USD')}
      </chakra.p>
    </chakra.li>
  );
}

/** Breaks at its @ rather than anywhere. */
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
    bg: 'bg.tint',
    borderRadius: '1em',
    textStyle: 'small',
    fontWeight: '700',
    fontVariantNumeric: 'tabular-nums',
    textAlign: 'center',
  },
});
