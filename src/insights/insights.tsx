import { chakra } from '@chakra-ui/react';
import type { Report } from '../dashboard/use-dashboard.ts';
import { ComparisonPanel } from './comparison.tsx';
import { DaysPanel } from './days.tsx';
import { measures } from './measures.ts';
import { Notes } from './notes.tsx';
import { SourcesPanel } from './sources.tsx';
import { useInsights } from './use-insights.ts';

/** Insights into the report: by day, compared with the previous period, by source. */
export function InsightsPanels({ report }: { report: Report }) {
  const insights = useInsights(report);
  if (!insights) return null;
  const { of, days, timeZone, previous, sources, uncounted } = insights;
  const isQuiet = days.every((day) => measures.every((measure) => day[measure.of] === 0));
  return (
    // Dim the insights of the previous period until the new ones arrive.
    <chakra.div color={of.days === report.days ? undefined : 'fg.muted'}>
      <DaysPanel days={days} timeZone={timeZone} isQuiet={isQuiet} />
      {previous !== undefined && !(isQuiet && previous === null) && (
        <ComparisonPanel length={of.days} now={of.figures} before={previous} days={days} />
      )}
      <SourcesPanel sources={sources} />
      <Notes figures={of.figures} uncounted={uncounted} />
    </chakra.div>
  );
}
