import { type ComponentType, useEffect, useState } from 'react';
import type { Report } from './use-dashboard.ts';

/**
 * The panels below the first figures. Their code, most of it a chart library, is fetched once there
 * are figures, so that it holds up nothing; where it cannot be fetched there are no such panels.
 */
export function LazyInsights({ report }: { report: Report }) {
  const [Panels, setPanels] = useState<ComponentType<{ report: Report }>>();
  useEffect(() => {
    import('../insights/panels.tsx').then(
      ({ LatePanels }) => setPanels(() => LatePanels),
      // The version it belonged to is gone from the server: the next visit brings the new one.
      () => {},
    );
  }, []);
  return Panels && <Panels report={report} />;
}
