/** The entry point of the dashboard's lazily loaded panels. */
import { SimpleGrid } from '@chakra-ui/react';
import { lazy, useState } from 'react';
import { filterTexts } from '../admin/filter-names.ts';
import type { Filter, Report } from '../admin/report.ts';
import { Optional } from '../ui/optional.tsx';
import { ButtonsPanel } from './buttons.tsx';
import type { Measure } from './measures.ts';
import { MoneyPanel } from './money.tsx';
import { MonthsPanel } from './months-panel.tsx';
import { NotCountedPanel } from './not-counted.tsx';
import { SourcesPanel } from './sources.tsx';
import type { Insights } from './use-insights.ts';
import type { Months } from './use-months.ts';

const DoubtsPanel = lazy(() => import('./doubts.tsx').then((m) => ({ default: m.DoubtsPanel })));

/** The panels below the recent conversions. Insights and months are undefined until they arrive. */
export function InsightsPanels({
  measure,
  report,
  insights,
  months,
  filter,
  onFilter,
}: {
  /** The measure of the months. */
  measure: Measure;
  report: Report;
  insights: Insights | undefined;
  months: Months | undefined;
  /** The chosen filter; that of the figures, once they have arrived. */
  filter: Filter;
  onFilter: (change: Filter) => void;
}) {
  // The panel stays with the pairs that the owner has decided, so that each can be undone.
  const [hadDoubts, setHadDoubts] = useState(false);
  if (report.doubts.length > 0 && !hadDoubts) setHadDoubts(true);
  const isFiltered = filterTexts(report.filter).length > 0;
  return (
    <>
      {insights && (
        <SimpleGrid columns={{ base: 1, lg: insights.buttons.length > 0 ? 2 : 1 }} columnGap="6">
          <SourcesPanel sources={insights.sources} filter={filter} onFilter={onFilter} />
          <ButtonsPanel buttons={insights.buttons} filter={filter} onFilter={onFilter} />
        </SimpleGrid>
      )}
      {months && (
        <Optional>
          <MonthsPanel measure={measure} months={months} />
        </Optional>
      )}
      {hadDoubts && (
        <Optional>
          <DoubtsPanel doubts={report.doubts} isFiltered={isFiltered} />
        </Optional>
      )}
      <SimpleGrid columns={{ base: 1, lg: 2 }} columnGap="6">
        <Optional>
          <MoneyPanel report={report} />
        </Optional>
        {insights && <NotCountedPanel counts={insights.excluded} isFiltered={isFiltered} />}
      </SimpleGrid>
    </>
  );
}
