import { chakra } from '@chakra-ui/react';
import { useState } from 'react';
import { OwnerAlert } from '../admin/alert.tsx';
import { DashboardHeader } from '../admin/header.tsx';
import { ConversionsPanel } from './conversions.tsx';
import { figuresOf } from './dashboard-data.ts';
import { Freshness } from './freshness.tsx';
import { FunnelPanel } from './funnel.tsx';
import { LazyInsights } from './lazy-insights.tsx';
import { PeriodSelector } from './period-selector.tsx';
import { SummaryCards } from './summary-cards.tsx';
import { type Period, useDashboard } from './use-dashboard.ts';

const noFigures = figuresOf(undefined);

/** The sales dashboard: visits, clicks, sales and revenue of a period. */
export function DashboardPage() {
  const [days, setDays] = useState<Period>(30);
  const { report, isFetching, isChanging, isStale, announcement, refresh } = useDashboard(days);
  const figures = report?.figures ?? noFigures;
  return (
    <>
      <DashboardHeader
        unread={report?.unread ?? 0}
        isFetching={isFetching}
        onRefresh={refresh}
        announcement={announcement}
      />
      <Body
        data-loading={(isChanging && !report) || undefined}
        data-changing={isChanging || undefined}
        data-stale={isStale || undefined}
      >
        <chakra.div
          display="flex"
          flexWrap="wrap"
          alignItems="center"
          justifyContent="space-between"
          columnGap="6"
          rowGap="3"
        >
          <PeriodSelector days={days} onChange={setDays} />
          <Freshness
            days={report?.days ?? days}
            receivedAt={report?.receivedAt}
            isStale={isStale}
          />
        </chakra.div>
        {report?.trouble && <OwnerAlert role="alert">{report.trouble}</OwnerAlert>}
        <chakra.div aria-busy={isChanging} data-figures="">
          <SummaryCards figures={figures} timeWindow={report?.timeWindow} />
          <FunnelPanel figures={figures} />
          <ConversionsPanel count={figures.conversions} recent={report?.recent} />
          {report && <LazyInsights report={report} />}
        </chakra.div>
      </Body>
    </>
  );
}

const Body = chakra('div', {
  base: {
    px: 'gutter',
    pt: '6',
    pb: '16',
    // Hide the figures until the first response, so that placeholder zeros are not shown.
    '&[data-loading] [data-figures]': { visibility: 'hidden' },
    // Dim figures that are stale or of the previous period.
    '&[data-changing] [data-figures], &[data-stale] [data-figures]': { color: 'fg.muted' },
  },
});
