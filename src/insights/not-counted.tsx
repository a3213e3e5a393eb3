import { formatNumber } from '../../server/contract/numbers.ts';
import { CountBadge } from '../admin/count-badge.tsx';
import { Note, Panel } from '../admin/panel.tsx';
import { FigureRow } from './figure-row.tsx';
import type { ExcludedCounts } from './use-insights.ts';

/** The views and clicks that no figure includes, by reason. Renders nothing without any. */
export function NotCountedPanel({
  counts,
  isFiltered,
}: {
  counts: ExcludedCounts;
  /** Whether the other panels have a filter. */
  isFiltered: boolean;
}) {
  const rows = reasons.flatMap(([reason, name]) => {
    const n = counts[reason] ?? 0;
    return n > 0 ? [{ name, n }] : [];
  });
  if (rows.length === 0) return null;
  return (
    <Panel title="Not Counted" aside={<CountBadge n={rows.reduce((sum, { n }) => sum + n, 0)} />}>
      <dl>
        {rows.map(({ name, n }) => (
          <FigureRow key={name} name={name} figure={formatNumber(n)} />
        ))}
      </dl>
      <Note>
        {`Views and clicks that no figure of this page includes.${isFiltered ? ' The filter does not apply here: they have no source and no button.' : ''}`}
      </Note>
    </Panel>
  );
}

/** Each reason in words. */
const reasons: [keyof ExcludedCounts, name: string][] = [
  ['bot', 'Bots'],
  ['automated', 'Automated browsers'],
  ['prefetch', 'Prefetched, never viewed'],
  ['foreign', 'Sent by other sites'],
  ['rate', 'Over the rate limit'],
  ['privacy', 'Visitors who opted out'],
  ['owner', 'Your own visits'],
  ['outage', 'Lost in an outage'],
];
