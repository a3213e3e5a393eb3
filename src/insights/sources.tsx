import { sourceName } from '../admin/filter-names.ts';
import { wholeNumber } from '../admin/format.ts';
import type { Filter } from '../admin/report.ts';
import { Ranking } from './ranking.tsx';
import type { Source } from './use-insights.ts';

/** Visits, clicks, booked calls, sales and revenue by source. A press on one filters the dashboard. */
export function SourcesPanel({
  sources,
  filter,
  onFilter,
}: {
  sources: Source[];
  filter: Filter;
  onFilter: (change: Filter) => void;
}) {
  return (
    <Ranking
      title="Sources"
      rowName="Source"
      rows={sources.map(({ source = 'direct', merged, pageViews, ...figures }) => ({
        ...figures,
        ...(merged
          ? {
              name: merged === 1 ? '1 more source' : `${wholeNumber(merged)} more sources`,
              value: undefined,
            }
          : { name: sourceName(source), value: source }),
        // Page views have no button.
        pageViews: filter.button === undefined ? pageViews : undefined,
      }))}
      chosen={filter.source}
      onChoose={(source) => onFilter({ source })}
      note="Visits, clicks and booked calls count for the source of the visitor’s first view that day. Sales count for the buyer’s last source within 30 days."
    />
  );
}
