import { Box, Container, Flex, SimpleGrid, Span, VisuallyHidden } from '@chakra-ui/react';
import { lazy, Suspense } from 'react';
import { useSearchParams } from 'react-router-dom';
import { OwnerAlert } from '../admin/alert.tsx';
import { Currency } from '../admin/currency.ts';
import { AdminHeader } from '../admin/header.tsx';
import { RefreshButton } from '../admin/refresh-button.tsx';
import { type Period, periods, type Report } from '../admin/report.ts';
import { Time } from '../admin/time.tsx';
import { ago } from '../insights/dates.ts';
import { type Measure, measures } from '../insights/measures.ts';
import { useInsights } from '../insights/use-insights.ts';
import { ErrorBoundary } from '../ui/error-boundary.tsx';
import { CallsPanel } from './calls.tsx';
import { ChartPanel } from './chart.tsx';
import { ConversionsPanel } from './conversions.tsx';
import { FunnelPanel } from './funnel.tsx';
import { PeriodSelector } from './period-selector.tsx';
import { SummaryCards } from './summary-cards.tsx';
import { useDashboard } from './use-dashboard.ts';

const defaultPeriod: Period = 30;

/** The panels below the conversions, loaded after the first response. Without them the rest still works. */
const InsightsPanels = lazy(() =>
  import('../insights/panels.tsx').then((m) => ({ default: m.InsightsPanels })),
);

/**
 * The sales dashboard: visits, clicks, sales and revenue of a period. The period and the metric of the chart
 * are in the URL.
 */
export function DashboardPage({
  preloadInbox,
}: {
  /** Called when the owner is about to open the messages. */
  preloadInbox?: () => void;
}) {
  const [params, setParams] = useSearchParams();
  const days = periods.find((period) => String(period) === params.get('days')) ?? defaultPeriod;
  const measure = measures.find(({ key }) => key === params.get('metric')) ?? measures[0];
  const choose = (change: { days?: Period; measure?: Measure }) => {
    const chosen = { days, measure, ...change };
    setParams({
      ...(chosen.days !== defaultPeriod && { days: String(chosen.days) }),
      ...(chosen.measure !== measures[0] && { metric: chosen.measure.key }),
    });
  };
  const { report, isFetching, nextTryAt, announcement, refresh } = useDashboard(days);
  const insights = useInsights(report);
  const isStale = report !== undefined && nextTryAt !== undefined;
  return (
    <Currency value={report?.currency ?? 'USD'}>
      <AdminHeader
        title="Analytics Dashboard"
        subtitle="Email Deliverability Audit Sales Performance"
        unread={report?.unread}
        preloadInbox={preloadInbox}
      >
        <PeriodSelector days={days} onChange={(days) => choose({ days })} />
        <RefreshButton what="figures" isFetching={isFetching} onClick={refresh} />
        <VisuallyHidden as="p" role="status">
          {announcement}
        </VisuallyHidden>
      </AdminHeader>
      <Container fluid pt="1" pb="16">
        <Flex
          wrap="wrap"
          justify="space-between"
          columnGap="6"
          textStyle="small"
          lineHeight="1.4"
          color="fg.muted"
          fontVariantNumeric="tabular-nums"
        >
          <Freshness days={days} report={report} nextTryAt={nextTryAt} />
          {report && !report.trouble && !isStale && <NoProblems />}
        </Flex>
        {report?.trouble && <OwnerAlert role="alert">{report.trouble}</OwnerAlert>}
        <Box
          aria-busy={isFetching && !report}
          data-figures=""
          data-stale={isStale || undefined}
          color={isStale ? 'fg.muted' : undefined}
        >
          <SummaryCards
            report={report}
            insights={insights}
            isLoading={!report && nextTryAt === undefined}
            chosen={measure}
            onChoose={(measure) => choose({ measure })}
          />
          <ChartPanel
            measure={measure}
            report={report}
            insights={insights}
            hasFailed={!report && nextTryAt !== undefined}
          />
          <SimpleGrid columns={{ base: 1, lg: 2 }} columnGap="6" mt={{ lg: '-5' }}>
            <div>
              <FunnelPanel figures={report?.figures} />
              <CallsPanel report={report} />
            </div>
            <ConversionsPanel count={report?.figures.conversions} recent={report?.recent} />
          </SimpleGrid>
          {report && (
            <ErrorBoundary fallback={null}>
              <Suspense>
                <InsightsPanels report={report} insights={insights} />
              </Suspense>
            </ErrorBoundary>
          )}
        </Box>
      </Container>
    </Currency>
  );
}

/** Which period the figures are of and how old they are. */
function Freshness({
  days,
  report,
  nextTryAt,
}: {
  days: Period;
  report: Report | undefined;
  nextTryAt: number | undefined;
}) {
  const isStale = report !== undefined && nextTryAt !== undefined;
  return (
    <Flex as="p" wrap="wrap" columnGap="4">
      <span>Data from last {days} days</span>
      {report ? (
        <Span fontWeight={isStale ? '700' : undefined} color={isStale ? 'fg' : undefined}>
          Last updated <Time at={report.receivedAt} />
          {isStale && `, ${ago(new Date(report.receivedAt).toISOString(), Date.now())}`}
        </Span>
      ) : (
        <span>{nextTryAt === undefined ? 'Loading' : 'No figures yet'}</span>
      )}
      {nextTryAt !== undefined && (
        <span>
          Next try at <Time at={nextTryAt} />
        </span>
      )}
    </Flex>
  );
}

const NoProblems = () => (
  <Flex align="center" gap="2">
    <Box boxSize="3" borderWidth="2.5px" borderColor="line.green" borderRadius="50%" />
    No problems found
  </Flex>
);
