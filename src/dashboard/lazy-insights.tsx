import { type ComponentType, useEffect, useState } from 'react';
import type { Report } from './use-dashboard.ts';

/**
 * The panels below the summary. Their code (mostly a chart library) loads after the first response;
 * if it fails to load, the panels are omitted.
 */
export function LazyInsights({ report }: { report: Report }) {
  const [Panels, setPanels] = useState<ComponentType<{ report: Report }>>();
  useEffect(() => {
    import('../insights/panels.tsx').then(
      ({ InsightsAndMoney }) => setPanels(() => InsightsAndMoney),
      // After a deployment the old chunk is gone from the server; a reload fetches the new one.
      () => {},
    );
  }, []);
  return Panels && <Panels report={report} />;
}
