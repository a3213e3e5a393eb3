import {
  Box,
  Button,
  Container,
  chakra,
  Flex,
  type FlexProps,
  SimpleGrid,
  Span,
  Strong,
  Text,
  VisuallyHidden,
} from '@chakra-ui/react';
import { lazy } from 'react';
import { useNavigate, useSearchParams } from 'react-router-dom';
import { OwnerAlert } from '../admin/alert.tsx';
import { Currency } from '../admin/currency.ts';
import { timeOfDay } from '../admin/format.ts';
import { AdminHeader } from '../admin/header.tsx';
import { RefreshButton } from '../admin/refresh-button.tsx';
import { type Filter, type Period, periods, type Report } from '../admin/report.ts';
import { IsSample } from '../admin/sample.tsx';
import { Time } from '../admin/time.tsx';
import { useLast } from '../admin/use-last.ts';
import { trpc } from '../api/trpc.ts';
import { ago } from '../insights/dates.ts';
import { type Measure, measures } from '../insights/measures.ts';
import { type Insights, useInsights } from '../insights/use-insights.ts';
import { type Months, useMonths } from '../insights/use-months.ts';
import { Optional } from '../ui/optional.tsx';
import { CallsPanel } from './calls.tsx';
import { ChartPanel } from './chart.tsx';
import { ConversionsPanel } from './conversions.tsx';
import { Exports } from './exports.tsx';
import { FilterChips } from './filter-chips.tsx';
import { FunnelPanel } from './funnel.tsx';
import { PeriodSelector } from './period-selector.tsx';
import { SummaryCards } from './summary-cards.tsx';
import { useDashboard } from './use-dashboard.ts';
import { useSample } from './use-sample.ts';

const defaultPeriod: Period = 30;

/** The panels below the conversions, loaded after the first response. Without them the rest still works. */
const InsightsPanels = lazy(() =>
  import('../insights/panels.tsx').then((m) => ({ default: m.InsightsPanels })),
);

/** Loaded late, so that the figures do not wait for it. */
const StepsLeft = lazy(() =>
  import('../admin/steps-left.tsx').then((m) => ({ default: m.StepsLeft })),
);

/** Page views have no button, so that the chart of a button begins with its clicks. */
const defaultMeasure = ({ button }: Filter) => measures[button === undefined ? 0 : 1];

/**
 * The sales dashboard: visits, clicks, sales and revenue of a period. The period, the filter, the metric of
 * the chart and whether sample data is shown are in the URL.
 */
export function DashboardPage() {
  const [params] = useSearchParams();
  const navigate = useNavigate();
  const days = periods.find((period) => String(period) === params.get('days')) ?? defaultPeriod;
  const metric = measures.find(({ key }) => key === params.get('metric'));
  const [source, button] = ['source', 'button'].map((name) => params.get(name) || undefined);
  const filter = { source, button };
  const measure = metric ?? defaultMeasure(filter);
  const isSample = params.has('sample');
  const choose = (change: {
    days?: Period;
    metric?: Measure;
    filter?: Filter;
    isSample?: boolean;
  }) => {
    const chosen = { days, metric, isSample, ...change };
    const { source, button } = { ...filter, ...change.filter };
    const isDefault = chosen.metric === defaultMeasure({ button });
    const query = new URLSearchParams({
      ...(chosen.isSample && { sample: 'shown' }),
      ...(chosen.days !== defaultPeriod && { days: String(chosen.days) }),
      ...(chosen.metric && !isDefault && { metric: chosen.metric.key }),
      ...(source && { source }),
      ...(button && { button }),
    });
    // The slashes of a campaign stay readable.
    void navigate(`?${query}`.replaceAll('%2F', '/'));
  };
  const chooseFilter = (filter: Filter) => choose({ filter });
  const own = useDashboard(days, { filter, isEnabled: !isSample });
  const ownInsights = useInsights(own.report);
  const sample = useSample(days, { filter, isEnabled: isSample });
  const { isFetching, announcement } = own;
  const nextTryAt = isSample ? undefined : own.nextTryAt;
  const { analytics } = trpc.useUtils();
  const refresh = () => Promise.all([own.refresh(), analytics.months.invalidate()]);
  const ownMonths = useMonths({ filter, isEnabled: own.report !== undefined });
  const { report, insights, months } = isSample
    ? { ...sample.data }
    : { report: own.report, insights: ownInsights, months: ownMonths };
  const isStale = report !== undefined && nextTryAt !== undefined;
  const isLoaded = useLast(report) !== undefined;
  return (
    <Currency value={report?.currency ?? 'USD'}>
      <IsSample value={isSample}>
        {isSample && <SampleBar onEnd={() => choose({ isSample: false })} />}
        <AdminHeader
          title="Analytics Dashboard"
          subtitle="Email Deliverability Audit Sales Performance"
          status={own.report}
        >
          <FilterChips filter={filter} onRemove={chooseFilter} />
          <PeriodSelector days={days} onChange={(days) => choose({ days })} />
          {!isSample && <RefreshButton what="figures" isFetching={isFetching} onClick={refresh} />}
          <VisuallyHidden as="p" role="status">
            {!isSample && announcement}
          </VisuallyHidden>
        </AdminHeader>
        <Container fluid pt={{ base: '3', lg: '1' }} pb="16">
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
            <Flex align="center" columnGap="4" minH="6">
              {!isSample && !report?.alert && nextTryAt === undefined && (
                <NoProblems visibility={report ? undefined : 'hidden'} />
              )}
              {!isSample && isLoaded && (
                <Optional>
                  <StepsLeft />
                </Optional>
              )}
            </Flex>
          </Flex>
          {isSample && sample.isError && (
            <OwnerAlert role="alert">Could not load the sample data. Reload the page.</OwnerAlert>
          )}
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
              onChoose={(metric) => choose({ metric })}
            />
            <ChartPanel
              measure={measure}
              report={report}
              insights={insights}
              hasFailed={!report && nextTryAt !== undefined}
              onShowSample={() => choose({ isSample: true })}
            />
            <SimpleGrid columns={{ base: 1, lg: 2 }} columnGap="6" mt={{ lg: '-5' }}>
              <div>
                <FunnelPanel report={report} />
                <CallsPanel report={report} />
              </div>
              <ConversionsPanel count={report?.figures.conversions} recent={report?.recent} />
            </SimpleGrid>
            <Optional>
              <Panels
                key={String(isSample)}
                {...{ measure, report, insights, months, filter }}
                hasFailed={!report && nextTryAt !== undefined}
                onFilter={chooseFilter}
              />
            </Optional>
            {report && <Exports report={report} />}
          </Box>
        </Container>
      </IsSample>
    </Currency>
  );
}

/** The insights. Those shown last keep their place, and the focus, until the next figures arrive. */
function Panels({
  report,
  insights,
  hasFailed,
  ...rest
}: {
  measure: Measure;
  report: Report | undefined;
  insights: Insights | undefined;
  months: Months | undefined;
  /** True when there is no report because its request failed. */
  hasFailed: boolean;
  filter: Filter;
  onFilter: (change: Filter) => void;
}) {
  const [lastReport, lastInsights] = [useLast(report), useLast(insights)];
  if (!lastReport || hasFailed) return null;
  const isWaiting = !report || (!insights && lastInsights !== undefined);
  return (
    <Waitable data-waiting={isWaiting || undefined} aria-busy={isWaiting}>
      <InsightsPanels report={report ?? lastReport} insights={insights ?? lastInsights} {...rest} />
    </Waitable>
  );
}

/** Hides all but the names in its panels while they wait for figures. */
const Waitable = chakra('div', {
  base: {
    '&[data-waiting]': { visibility: 'hidden', '& :is(h2, th)': { visibility: 'visible' } },
  },
});

/** Above everything else while sample data is shown. */
const SampleBar = ({ onEnd }: { onEnd: () => void }) => (
  <Container
    fluid
    display="flex"
    flexWrap="wrap"
    alignItems="center"
    justifyContent="space-between"
    columnGap="6"
    rowGap="2"
    py="2"
    bg="bg.inverted"
    color="fg.onInverted"
  >
    <Text role="status">
      <Strong>Sample data.</Strong> None of these figures are yours.
    </Text>
    <Button type="button" minH="11" onClick={onEnd}>
      Back to your data
    </Button>
  </Container>
);

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
  const updatedAt = new Date(report?.receivedAt ?? 0).toISOString();
  return (
    <Flex as="p" wrap="wrap" columnGap="4">
      <span>{`Data from last ${days} days`}</span>
      {report ? (
        <Span
          minW={newsWidth}
          fontWeight={isStale ? '700' : undefined}
          color={isStale ? 'fg' : undefined}
        >
          <time dateTime={updatedAt}>
            {`Last updated ${timeOfDay(report.receivedAt)}${isStale ? `, ${ago(updatedAt, Date.now())}` : ''}`}
          </time>
        </Span>
      ) : (
        <Span minW={newsWidth}>{nextTryAt === undefined ? 'Loading' : 'No figures yet'}</Span>
      )}
      {nextTryAt !== undefined && (
        <span>
          Next try at <Time at={nextTryAt} />
        </span>
      )}
    </Flex>
  );
}

/** As wide as the longest time, so that the line breaks alike before and after the figures arrive. */
const newsWidth = '11.5em';

const NoProblems = (props: FlexProps) => (
  <Flex align="center" gap="2" {...props}>
    <Box boxSize="3" borderWidth="2.5px" borderColor="line.green" borderRadius="50%" />
    No problems found
  </Flex>
);
