import { chakra } from '@chakra-ui/react';
import type { Report } from '../dashboard/use-dashboard.ts';
import { ComparisonPanel } from './comparison.tsx';
import { DaysPanel } from './days.tsx';
import { measures } from './measures.ts';
import { Notes } from './notes.tsx';
import { SourcesPanel } from './sources.tsx';
import { useInsights } from './use-insights.ts';

/** A closer look at the report: day by day, beside the period before, by source. */
export function InsightsPanels({ report }: { report: Report }) {
  const breakdown = useInsights(report);
  if (!breakdown) return null;
  const { of, days, timeZone, previous, sources, uncounted } = breakdown;
  const isQuiet = days.every((day) => measures.every((measure) => day[measure.of] === 0));
  return (
    // Another period was chosen: these step back until theirs is here.
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
