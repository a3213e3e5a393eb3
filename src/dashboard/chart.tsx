import {
  Box,
  type BoxProps,
  Button,
  chakra,
  Flex,
  Heading,
  Link,
  SimpleGrid,
  Span,
  Text,
} from '@chakra-ui/react';
import { lazy, Suspense, useContext, useId, useState } from 'react';
import { Note } from '../admin/panel.tsx';
import type { Report } from '../admin/report.ts';
import { IsSample, SampleTag } from '../admin/sample.tsx';
import { dayAndMonth, dayOfWeek, shortDate, weekday, zoneName } from '../insights/dates.ts';
import { DaysTable } from '../insights/days-table.tsx';
import { FigureTip } from '../insights/figure-tip.tsx';
import { LineChart, type Point } from '../insights/line-chart.tsx';
import { figureOf, type Measure, useAxisFormat, useFigures } from '../insights/measures.ts';
import { ticksUpTo } from '../insights/scale.ts';
import type { Day, Insights } from '../insights/use-insights.ts';
import { ErrorBoundary } from '../ui/error-boundary.tsx';
import { hintOf, isKnown } from './metric.ts';
import type { RowsQuery } from './rows-dialog.tsx';

const loadDialog = () => import('./rows-dialog.tsx');
const RowsDialog = lazy(() => loadDialog().then((m) => ({ default: m.RowsDialog })));
const FirstSteps = lazy(() =>
  import('../admin/launch.tsx').then((m) => ({ default: m.FirstSteps })),
);
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
      ...{ kind, hint, filter: report?.filter, startDate: day.startDate, asOf: day.asOf },
      name: `${name} on ${shortDate(day.date)}`,
      figure: text(measure, day[measure.key]),
    });
  const timeWindow = report?.timeWindow;
  const days = insights?.days ?? [];
  const hasValues = days.some((day) => day[measure.key] > 0);
  return (
    <Frame aria-labelledby={id} data-line={'line' in measure ? measure.line : undefined}>
      <Flex wrap="wrap" align="center" columnGap={{ base: '2', sm: '5' }} rowGap="1" minH="11">
        <Heading id={id} textStyle="h3" fontSize="1.375rem">
          {name} by day
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
          {report && timeWindow && (
            <Button
              type="button"
              variant="plain"
              minH="11"
              aria-haspopup="dialog"
              onPointerEnter={preloadDialog}
              onClick={() =>
                setQuery({
                  ...{ ...timeWindow, kind, name, hint, filter: report.filter },
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
        <Nothing
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
      <Key>
        Last {report.days} days: {text(measure, figureOf(report.figures, measure))}
      </Key>
      {previous && (
        <Key data-before="">
          {report.days} days before: {text(measure, figureOf(previous, measure))}
        </Key>
      )}
    </Flex>
  );
}

function DayChart({
  measure,
  insights: { days, previousDays, timeZone, period },
  onOpen,
}: {
  measure: Measure;
  insights: Insights;
  onOpen: (day: Day) => void;
}) {
  const { key, name } = measure;
  const text = useFigures();
  const isMoney = key === 'revenue';
  const before = previousDays.map((day) => day[key]);
  const most = Math.max(...days.map((day) => day[key]), ...before);
  return (
    <>
      <LineChart
        name={`${name} by day`}
        points={pointsOf(days, key)}
        before={before}
        ticks={ticksUpTo(most, { isCount: !isMoney })}
        color={'line' in measure ? `line.${measure.line}` : 'fg'}
        formatTick={useAxisFormat(measure)}
        tooltip={(i) =>
          days[i] && (
            <FigureTip
              title={`${dayAndMonth(days[i].date)}${days[i].isWhole ? '' : ' (part of the day)'}`}
              figures={[
                [name, text(measure, days[i][key])],
                ...(previousDays[i]
                  ? [[`${period} days before`, text(measure, previousDays[i][key])] as const]
                  : []),
              ]}
            />
          )
        }
        textOf={(i) => {
          const [day, earlier] = [days[i], before[i]];
          if (!day) return '';
          const then =
            earlier === undefined ? '' : `, ${period} days before: ${text(measure, earlier)}`;
          return `${dayAndMonth(day.date)}: ${text(measure, day[key])}${then}`;
        }}
        onOpen={(i) => days[i] && onOpen(days[i])}
      />
      <Note mt="1" maxW="none">
        {days.some(({ isWhole }) => !isWhole) && 'Hollow points are parts of a day. '}
        {days.length <= mostShaded && 'Weekends are shaded. '}
        Days run from midnight to midnight, {zoneName(timeZone)}.
        {(isMoney || key === 'conversions') &&
          previousDays.length > 0 &&
          ' Sales of this period may still be refunded.'}
      </Note>
    </>
  );
}

/** With more days the weekends are too narrow to be shaded. */
const mostShaded = 40;

/** The points of the line. Each day of a week has a label, then each Monday, then every second one. */
function pointsOf(days: Day[], key: Measure['key']): Point[] {
  const isWeek = days.length <= 10;
  const isLong = days.length > mostShaded;
  const isMonday = ({ date }: Day) => weekday(date) === 'Mon';
  const labelled = days
    .filter((day) => isWeek || isMonday(day))
    .filter((_, i) => !isLong || i % 2 === 0);
  return days.map((day) => ({
    value: day[key],
    isPartial: !day.isWhole,
    isShaded: !isLong && ['Sat', 'Sun'].includes(weekday(day.date)),
    ...(labelled.includes(day) && {
      label: isWeek ? dayOfWeek(day.date) : shortDate(day.date),
      isLabelWide: labelled.indexOf(day) % 2 === 1,
    }),
  }));
}

/** In the place of the chart when there is nothing to draw; on a new site with what to do next. */
function Nothing({
  isOfMeasure,
  hasVisits,
  onShowSample,
}: {
  /** False for the page views of a button. */
  isOfMeasure: boolean;
  hasVisits: boolean;
  onShowSample: () => void;
}) {
  if (hasVisits) {
    return (
      <Text textStyle="h4" py="6" minH="10rem">
        {isOfMeasure ? 'None in this period' : 'Page views belong to no button'}
      </Text>
    );
  }
  return (
    <SimpleGrid columns={{ base: 1, lg: 2 }} columnGap="6" rowGap="10" py="6">
      <div>
        <Text textStyle="h4">No visits yet</Text>
        <Text color="fg.muted" mt="1">
          The first visit appears here within 30 seconds. Your own visits do not count.
        </Text>
        <Flex wrap="wrap" align="center" columnGap="5" rowGap="3" mt="4">
          <Button type="button" bg="fg" color="bg" borderColor="fg" onClick={onShowSample}>
            Show sample data
          </Button>
          <Link href="/" variant="underline" fontWeight="600" py="2">
            Open your site
          </Link>
        </Flex>
        <SampleLine />
        <Text textStyle="small" color="fg.muted" mt="2">
          Sample data shows two years of visits, calls and sales. It never mixes with yours.
        </Text>
      </div>
      <ErrorBoundary fallback={null}>
        <Suspense>
          <FirstSteps />
        </Suspense>
      </ErrorBoundary>
    </SimpleGrid>
  );
}

/** A faint line without figures, in the form of the chart to come. */
const SampleLine = () => (
  <chakra.svg
    viewBox="0 0 300 64"
    aria-hidden="true"
    w="full"
    maxW="36rem"
    mt="5"
    fill="none"
    stroke="hairline"
    strokeWidth="1.5"
    vectorEffect="non-scaling-stroke"
  >
    <path d="M0 62.5h300" strokeWidth="0.75" />
    <path d="M0 58l12-28 24-1 12-2 12 3 12-5 12 2 12 14 12 2 12-18 24 2 12-3 12 4 12 12 12 4 12-36 24-1 12 18 24 0 12 12 12 2 12-14 12 8" />
  </chakra.svg>
);

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
