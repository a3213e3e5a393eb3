import { chakra } from '@chakra-ui/react';
import { timeOfDay } from '../admin/format.ts';
import type { Period } from './use-dashboard.ts';

/** Shows the period of the figures and when they were last updated. */
export function Freshness({
  days,
  receivedAt,
  isStale,
}: {
  days: Period;
  receivedAt: number | undefined;
  isStale: boolean;
}) {
  return (
    <chakra.p
      textStyle="small"
      color="fg.muted"
      fontVariantNumeric="tabular-nums"
      display="flex"
      flexWrap="wrap"
      columnGap="4"
    >
      <span>Data from last {days} days</span>
      <chakra.span fontStyle={isStale ? 'italic' : undefined}>
        Last updated{' '}
        {receivedAt === undefined ? (
          '–'
        ) : (
          <time dateTime={new Date(receivedAt).toISOString()}>{timeOfDay(receivedAt)}</time>
        )}
        {isStale && <chakra.span srOnly>, not up to date</chakra.span>}
      </chakra.span>
    </chakra.p>
  );
}
