import { Box, type BoxProps, Button, chakra, Flex, Heading, Span, Text } from '@chakra-ui/react';
import { lazy, Suspense, useContext, useId, useState } from 'react';
import type { Report } from '../admin/report.ts';
import { IsSample, SampleTag } from '../admin/sample.tsx';
import { shortDate } from '../insights/dates.ts';
import { DaysTable } from '../insights/days-table.tsx';
import { figureOf, type Measure, useFigures } from '../insights/measures.ts';
import type { Day, Insights } from '../insights/use-insights.ts';
import { ErrorBoundary } from '../ui/error-boundary.tsx';
import { DayChart } from './day-chart.tsx';
import { EmptyChart } from './empty-chart.tsx';
import { hintOf, isKnown } from './metric.ts';
import type { RowsQuery } from './rows-dialog.tsx';

const loadDialog = () => import('./rows-dialog.tsx');
const RowsDialog = lazy(() => loadDialog().then((m) => ({ default: m.RowsDialog })));
const preloadDialog = () => void loadDialog().catch(() => {});

/** One figure by day, with the previous period behind it. Its rows open from here, of a day or of all. */
export function ChartPanel({
  measure,
  report,
  insights,
  hasFailed,
  onShowSample,
}: {
  measure: Measure;
  report: Report | undefined;
  insights: Insights | undefined;
  /** True when there is no report because its request failed. */
  hasFailed: boolean;
  onShowSample: () => void;
}) {
  const id = useId();
  const text = useFigures();
  const [isTable, setIsTable] = useState(false);
  const [query, setQuery] = useState<RowsQuery>();
  const { name, rows: kind } = measure;
  const hint = hintOf(measure, report);
  const isSample = useContext(IsSample);
  const openDay = (day: Day) =>
    // Sample data has no rows.
    !isSample &&
    setQuery({
      kind,
      hint,
      filter: report?.filter,
      startDate: day.startDate,
      asOf: day.asOf,
      name: `${name} on ${shortDate(day.date)}`,
      figure: text(measure, day[measure.key]),
    });
  const timeWindow = report?.timeWindow;
  const days = insights?.days ?? [];
  const hasValues = days.some((day) => day[measure.key] > 0);
  const hasRows =
    report && (figureOf(report.figures, measure) > 0 || (kind === 'sale' && hasSales(report)));
  return (
    <Frame aria-labelledby={id} data-line={'line' in measure ? measure.line : undefined}>
      <Flex wrap="wrap" align="center" columnGap={{ base: '2', sm: '5' }} rowGap="1" minH="11">
        <Heading id={id} textStyle="h3" fontSize="1.375rem">
          {`${name} by day`}
        </Heading>
        <SampleTag />
        {report && insights && hasValues && (
          <Legend measure={measure} report={report} insights={insights} />
        )}
        <Flex columnGap={{ base: '4', sm: '5' }} ms="auto">
          {hasValues && (
            <Button
              type="button"
              variant="plain"
              minH="11"
              aria-pressed={isTable}
              onClick={() => setIsTable(!isTable)}
            >
              {isTable ? 'Chart' : 'Table'}
            </Button>
          )}
          {hasRows && timeWindow && (
            <Button
              type="button"
              variant="plain"
              minH="11"
              aria-haspopup="dialog"
              onPointerEnter={preloadDialog}
              onClick={() =>
                setQuery({
                  ...timeWindow,
                  kind,
                  name,
                  hint,
                  filter: report.filter,
                  figure: text(measure, figureOf(report.figures, measure)),
                })
              }
            >
              All rows
            </Button>
          )}
        </Flex>
      </Flex>
      {!insights && <Placeholder bg={hasFailed ? undefined : 'bg.tint'} />}
      {insights && days.length > 0 && !hasValues && (
        <EmptyChart
          isOfMeasure={!report || isKnown(measure, report)}
          hasVisits={insights.hasVisits}
          onShowSample={onShowSample}
        />
      )}
      {hasValues && isTable && <DaysTable days={days} />}
      {insights && hasValues && !isTable && (
        <DayChart measure={measure} insights={insights} onOpen={openDay} />
      )}
      {query && (
        <ErrorBoundary
          fallback={
            <Text role="alert" mt="4">
              Could not load the list. Reload the page.
            </Text>
          }
        >
          <Suspense>
            <RowsDialog query={query} onClose={() => setQuery(undefined)} />
          </Suspense>
        </ErrorBoundary>
      )}
    </Frame>
  );
}

/** Whether there are sales, also free or fully refunded ones, which no figure of money shows. */
const hasSales = ({ figures, otherCurrencies }: Report) =>
  figures.conversions > 0 || figures.refundedRevenue > 0 || otherCurrencies.length > 0;

/** Names both lines, with their totals. */
function Legend({
  measure,
  report,
  insights: { previous },
}: {
  measure: Measure;
  report: Report;
  insights: Insights;
}) {
  const text = useFigures();
  return (
    <Flex
      wrap="wrap"
      order={{ base: 1, lg: 0 }}
      w={{ base: 'full', lg: 'auto' }}
      columnGap="4"
      textStyle="small"
      fontVariantNumeric="tabular-nums"
    >
      <Key>{`Last ${report.days} days: ${text(measure, figureOf(report.figures, measure))}`}</Key>
      {previous && (
        <Key data-before="">
          {`${report.days} days before: ${text(measure, figureOf(previous, measure))}`}
        </Key>
      )}
    </Flex>
  );
}

/** Keeps the place of the chart until it is loaded. */
const Placeholder = (props: BoxProps) => <Box h="clamp(160px, 48vw, 226px)" mb="7" {...props} />;

const Frame = chakra('section', {
  base: { borderTop: '4px solid var(--line, {colors.fg})', pt: { base: '2', sm: '3' } },
});

const Key = chakra(Span, {
  base: {
    color: 'fg.muted',
    _before: {
      content: '""',
      display: 'inline-block',
      w: '5',
      me: '2',
      verticalAlign: '0.25em',
      borderTop: '3px solid var(--line, {colors.fg})',
    },
    '&[data-before]::before': { borderTop: '2.5px dotted {colors.field}' },
  },
});
