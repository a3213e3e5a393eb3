/** The entry point of the dashboard's lazily loaded panels. */
import { SimpleGrid } from '@chakra-ui/react';
import { lazy, Suspense, useState } from 'react';
import type { Report } from '../admin/report.ts';
import { ErrorBoundary } from '../ui/error-boundary.tsx';
import type { Measure } from './measures.ts';
import { MoneyPanel } from './money.tsx';
import { MonthsPanel } from './months.tsx';
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
}: {
  /** The measure of the months. */
  measure: Measure;
  report: Report;
  insights: Insights | undefined;
  months: Months | undefined;
}) {
  // The panel stays with the pairs that the owner has decided, so that each can be undone.
  const [hadDoubts, setHadDoubts] = useState(false);
  if (report.doubts.length > 0 && !hadDoubts) setHadDoubts(true);
  return (
    <>
      {insights && <SourcesPanel sources={insights.sources} />}
      {months && (
        <ErrorBoundary fallback={null}>
          <MonthsPanel measure={measure} months={months} />
        </ErrorBoundary>
      )}
      {hadDoubts && (
        <ErrorBoundary fallback={null}>
          <Suspense>
            <DoubtsPanel doubts={report.doubts} />
          </Suspense>
        </ErrorBoundary>
      )}
      <SimpleGrid columns={{ base: 1, lg: 2 }} columnGap="6">
        <ErrorBoundary fallback={null}>
          <MoneyPanel report={report} />
        </ErrorBoundary>
        {insights && <NotCountedPanel counts={insights.uncounted} />}
      </SimpleGrid>
    </>
  );
}
