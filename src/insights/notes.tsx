import { chakra } from '@chakra-ui/react';
import { wholeNumber } from '../admin/format.ts';
import type { Figures } from '../dashboard/dashboard-data.ts';
import type { ExcludedCounts } from './insights-data.ts';

/** Two quiet lines at the end: what else was counted, and what was not. */
export function Notes({ figures, uncounted }: { figures: Figures; uncounted: ExcludedCounts }) {
  const lines = [alsoOf(figures), leftOutOf(uncounted)].filter((line) => line !== '');
  if (lines.length === 0) return null;
  return (
    <chakra.div mt="8" textStyle="small" color="fg.muted" fontVariantNumeric="tabular-nums">
      {lines.map((line) => (
        <p key={line}>{line}</p>
      ))}
    </chakra.div>
  );
}

/** `Also: 12 checkouts opened, 1 call booked.`; empty when there is nothing of it. */
function alsoOf({ checkoutOpens, callsBooked }: Figures): string {
  const parts = [
    ...(checkoutOpens > 0 ? [counted(checkoutOpens, 'checkout opened', 'checkouts opened')] : []),
    ...(callsBooked > 0 ? [counted(callsBooked, 'call booked', 'calls booked')] : []),
  ];
  return parts.length === 0 ? '' : `Also: ${parts.join(', ')}.`;
}

/** `Left out, of views and clicks: 12 by bots, 4 of your own.`; empty when nothing was left out. */
function leftOutOf(uncounted: ExcludedCounts): string {
  const n = (reason: keyof ExcludedCounts) => uncounted[reason] ?? 0;
  const parts = reasons.flatMap(([reason, one, many]) =>
    n(reason) > 0 ? [counted(n(reason), one, many)] : [],
  );
  return parts.length === 0 ? '' : `Left out, of views and clicks: ${parts.join(', ')}.`;
}

/** Each reason with what is said of one and of several. */
const reasons: [keyof ExcludedCounts, one: string, many: string][] = [
  ['bot', 'by a bot', 'by bots'],
  ['automated', 'by a program that drives a browser', 'by programs that drive a browser'],
  ['prefetch', 'fetched ahead and never looked at', 'fetched ahead and never looked at'],
  ['foreign', 'sent by another site', 'sent by other sites'],
  ['rate', 'over the limit for one network', 'over the limit for one network'],
  ['privacy', 'by a visitor who asks for privacy', 'by visitors who ask for privacy'],
  ['owner', 'of your own', 'of your own'],
  ['outage', 'while nothing could be kept', 'while nothing could be kept'],
];

const counted = (n: number, one: string, many: string) =>
  `${wholeNumber(n)} ${n === 1 ? one : many}`;
