import { Box, Text } from '@chakra-ui/react';
import { wholeNumber } from '../admin/format.ts';
import type { Figures } from '../admin/report.ts';
import type { ExcludedCounts } from './use-insights.ts';

/** Two footnotes: further counts, and what was excluded. */
export function Notes({ figures, uncounted }: { figures: Figures; uncounted: ExcludedCounts }) {
  const lines = [alsoOf(figures), excludedOf(uncounted)].filter((line) => line !== '');
  if (lines.length === 0) return null;
  return (
    <Box mt="8" textStyle="small" color="fg.muted" fontVariantNumeric="tabular-nums">
      {lines.map((line) => (
        <Text key={line}>{line}</Text>
      ))}
    </Box>
  );
}

/** `Also: 12 checkouts opened, 1 call booked.`; empty when both are 0. */
function alsoOf({ checkoutOpens, callsBooked }: Figures): string {
  const parts = [
    ...(checkoutOpens > 0 ? [counted(checkoutOpens, 'checkout opened', 'checkouts opened')] : []),
    ...(callsBooked > 0 ? [counted(callsBooked, 'call booked', 'calls booked')] : []),
  ];
  return parts.length === 0 ? '' : `Also: ${parts.join(', ')}.`;
}

/** `Excluded views and clicks: 12 by bots, 4 of your own.`; empty when nothing was excluded. */
function excludedOf(uncounted: ExcludedCounts): string {
  const n = (reason: keyof ExcludedCounts) => uncounted[reason] ?? 0;
  const parts = reasons.flatMap(([reason, one, many]) =>
    n(reason) > 0 ? [counted(n(reason), one, many)] : [],
  );
  return parts.length === 0 ? '' : `Excluded views and clicks: ${parts.join(', ')}.`;
}

/** Each reason with its singular and plural text. */
const reasons: [keyof ExcludedCounts, one: string, many: string][] = [
  ['bot', 'by a bot', 'by bots'],
  ['automated', 'by an automated browser', 'by automated browsers'],
  ['prefetch', 'prefetched, never viewed', 'prefetched, never viewed'],
  ['foreign', 'sent by another site', 'sent by other sites'],
  ['rate', 'over the rate limit', 'over the rate limit'],
  ['privacy', 'by a visitor who opted out', 'by visitors who opted out'],
  ['owner', 'of your own', 'of your own'],
  ['outage', 'lost in an outage', 'lost in an outage'],
];

const counted = (n: number, one: string, many: string) =>
  `${wholeNumber(n)} ${n === 1 ? one : many}`;
