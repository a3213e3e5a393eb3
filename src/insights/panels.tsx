/** The entry point of the dashboard's lazily loaded panels. */
import { Box } from '@chakra-ui/react';
import { lazy, Suspense, useState } from 'react';
import { Currency } from '../admin/currency.ts';
import type { Report } from '../admin/report.ts';
import { ErrorBoundary } from '../ui/error-boundary.tsx';
import { ComparisonPanel } from './comparison.tsx';
import { DaysPanel } from './days.tsx';
import { measures } from './measures.ts';
import { MoneyPanel } from './money.tsx';
import { Notes } from './notes.tsx';
import { SourcesPanel } from './sources.tsx';
import { useInsights } from './use-insights.ts';

const DoubtsPanel = lazy(() => import('./doubts.tsx').then((m) => ({ default: m.DoubtsPanel })));

/** The money panel, from the report, and the insights, which have a request of their own. */
export function InsightsPanels({ report }: { report: Report }) {
  // The panel stays with the pairs that the owner has decided, so that each can be undone.
  const [hadDoubts, setHadDoubts] = useState(false);
  if (report.doubts.length > 0 && !hadDoubts) setHadDoubts(true);
  return (
    <Currency value={report.currency}>
      {hadDoubts && (
        <ErrorBoundary fallback={null}>
          <Suspense>
            <DoubtsPanel doubts={report.doubts} />
          </Suspense>
        </ErrorBoundary>
      )}
      <ErrorBoundary fallback={null}>
        <MoneyPanel report={report} />
      </ErrorBoundary>
      <ErrorBoundary fallback={null}>
        <Insights report={report} />
      </ErrorBoundary>
    </Currency>
  );
}

/** The report by day, compared with the previous period, and by source. */
function Insights({ report }: { report: Report }) {
  const insights = useInsights(report);
  if (!insights) return null;
  const { report: shown, days, timeZone, previous, sources, uncounted } = insights;
  const isQuiet = days.every((day) => measures.every((measure) => day[measure.key] === 0));
  return (
    // Dim the insights of the previous period until the new ones arrive.
    <Box color={shown.days === report.days ? undefined : 'fg.muted'}>
      <DaysPanel days={days} timeZone={timeZone} isQuiet={isQuiet} />
      {previous !== undefined && !(isQuiet && previous === null) && (
        <ComparisonPanel length={shown.days} now={shown.figures} before={previous} days={days} />
      )}
      <SourcesPanel sources={sources} />
      <Notes figures={shown.figures} uncounted={uncounted} />
    </Box>
  );
}
