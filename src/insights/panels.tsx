/** The entry point of the dashboard's lazily loaded panels. */
import { SimpleGrid } from '@chakra-ui/react';
import { lazy, Suspense, useState } from 'react';
import type { Report } from '../admin/report.ts';
import { ErrorBoundary } from '../ui/error-boundary.tsx';
import { MoneyPanel } from './money.tsx';
import { NotCountedPanel } from './not-counted.tsx';
import { SourcesPanel } from './sources.tsx';
import type { Insights } from './use-insights.ts';

const DoubtsPanel = lazy(() => import('./doubts.tsx').then((m) => ({ default: m.DoubtsPanel })));

/** The panels below the recent conversions. `insights` are undefined until they arrive. */
export function InsightsPanels({
  report,
  insights,
}: {
  report: Report;
  insights: Insights | undefined;
}) {
  // The panel stays with the pairs that the owner has decided, so that each can be undone.
  const [hadDoubts, setHadDoubts] = useState(false);
  if (report.doubts.length > 0 && !hadDoubts) setHadDoubts(true);
  return (
    <>
      {insights && <SourcesPanel sources={insights.sources} />}
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
