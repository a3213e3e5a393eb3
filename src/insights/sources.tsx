import { pluralize } from '../../server/contract/numbers.ts';
import { campaignName, sourceName } from '../admin/filter-names.ts';
import type { Filter } from '../admin/report.ts';
import { type Ranked, Ranking } from './ranking.tsx';
import type { Source } from './use-insights.ts';

/** Visits, clicks, booked calls, sales and revenue by source and campaign. A press on one filters the dashboard. */
export function SourcesPanel({
  sources,
  filter,
  onFilter,
}: {
  sources: Source[];
  filter: Filter;
  onFilter: (change: Filter) => void;
}) {
  const rowOf = (
    { source = 'direct', merged, pageViews, ...figures }: Omit<Source, 'campaigns'>,
    { noun, nameOf }: { noun: string; nameOf: (source: string) => string },
  ): Ranked => ({
    ...figures,
    ...(merged
      ? {
          name: pluralize(merged, `more ${noun}`),
          value: undefined,
        }
      : { name: nameOf(source), value: source }),
    // Page views have no button.
    pageViews: filter.button === undefined ? pageViews : undefined,
  });
  return (
    <Ranking
      title="Sources"
      rowName="Source"
      rows={sources.map(({ campaigns, ...source }) => {
        const row = rowOf(source, { noun: 'source', nameOf: sourceName });
        const parts = campaigns?.map((campaign) =>
          rowOf(campaign, { noun: 'campaign', nameOf: campaignName }),
        );
        return { ...row, parts: parts && [...parts, ...restOf(row, parts)] };
      })}
      partsName="Campaigns"
      chosen={filter.source}
      onChoose={(source) => onFilter({ source })}
      note="Visits, clicks and booked calls count for the source of the visitor’s first view that day. Sales count for the buyer’s last source within 30 days."
    />
  );
}

const figures = ['pageViews', 'ctaClicks', 'callsBooked', 'conversions', 'revenue'] as const;

/** A row for the figures of a source that no campaign has, if there are any. */
function restOf(row: Ranked, parts: Ranked[]): Ranked[] {
  const rest = { ...row, name: 'Without a campaign', value: undefined };
  for (const key of figures) {
    const left = parts.reduce((sum, part) => sum - (part[key] ?? 0), row[key] ?? 0);
    // Revenue has decimals, at most three in any currency.
    if (row[key] !== undefined) rest[key] = Math.round(left * 1000) / 1000;
  }
  return figures.some((key) => rest[key]) ? [rest] : [];
}
