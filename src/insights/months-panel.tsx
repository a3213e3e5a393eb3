import { Button, chakra, Text } from '@chakra-ui/react';
import { Fragment, useState } from 'react';
import { Note, Panel } from '../admin/panel.tsx';
import { Table } from '../admin/table.tsx';
import { Change } from './change.tsx';
import { longDate, longMonth, shortMonth, zoneName } from './dates.ts';
import { FigureTip } from './figure-tip.tsx';
import { type Measure, type Measured, useAxisFormat, useFigures } from './measures.ts';
import { Plot } from './plot.tsx';
import { ticksUpTo } from './scale.ts';
import type { Months } from './use-months.ts';

type Month = Months['months'][number];

/** A measure by month for two years, and the year to date. Renders nothing before the second month. */
export function MonthsPanel({ measure, months: data }: { measure: Measure; months: Months }) {
  const [isTable, setIsTable] = useState(false);
  const { months, timeZone, countedSince } = data;
  const running = months.at(-1);
  const known = months.filter((month) => month[measure.key] !== null);
  if (!running || known.length < 2) return null;
  const isVisit = measure.key === 'pageViews' || measure.key === 'ctaClicks';
  return (
    <Panel
      title="Months"
      aside={
        <>
          <YearToDate measure={measure} months={data} />
          <Button
            type="button"
            variant="plain"
            minH="11"
            ms="auto"
            aria-pressed={isTable}
            onClick={() => setIsTable(!isTable)}
          >
            {isTable ? 'Chart' : 'Table'}
          </Button>
        </>
      }
    >
      {isTable ? (
        <MonthsTable measure={measure} months={months} />
      ) : (
        <Bars measure={measure} months={months} />
      )}
      <Note mt="1" maxW="none">
        {[
          `${measure.name} by month, ${zoneName(timeZone)}.`,
          `${longMonth(running.month)} is not over yet.`,
          isVisit &&
            countedSince !== null &&
            known.length < months.length &&
            `Visits are counted since ${longDate(countedSince.slice(0, 10))}.`,
        ]
          .filter(Boolean)
          .join(' ')}
      </Note>
    </Panel>
  );
}

/** `$26,367.00 in 2026 so far`, and its change since the same part of the last year. */
function YearToDate({
  measure,
  months: { months, yearToDate, yearBefore, comparedUntil },
}: {
  measure: Measure;
  months: Months;
}) {
  const text = useFigures();
  const [current, then] = [counted(yearToDate, measure), counted(yearBefore, measure)];
  if (!current) return null;
  return (
    <Text
      order={{ base: 1, lg: 0 }}
      w={{ base: 'full', lg: 'auto' }}
      pb={{ base: '2', lg: '0' }}
      textStyle="small"
      fontVariantNumeric="tabular-nums"
    >
      <strong>{text(measure, current[measure.key])}</strong>
      <span>{` in ${months.at(-1)?.month.slice(0, 4)} so far`}</span>
      {then && (
        <chakra.span display={{ base: 'block', sm: 'inline' }} ms={{ sm: '5' }}>
          <Change
            measure={measure}
            now={current}
            before={then}
            parts={[months.slice(0, -1).flatMap((month) => counted(month, measure) ?? [])]}
            // A date does not break.
            until={`by ${longDate(comparedUntil).replaceAll(' ', '\u00a0')}`}
          />
        </chakra.span>
      )}
    </Text>
  );
}

/** The figures, when this one was counted. */
const counted = (figures: Months['yearToDate'], { key }: Measure): Measured | undefined =>
  figures[key] === null
    ? undefined
    : {
        pageViews: figures.pageViews ?? 0,
        ctaClicks: figures.ctaClicks ?? 0,
        conversions: figures.conversions ?? 0,
        revenue: figures.revenue ?? 0,
      };

/** Returns the function that writes the figure of a month, by its index. */
function useMonthFigures(measure: Measure, months: Month[]) {
  const text = useFigures();
  return (i: number) => {
    const value = months[i]?.[measure.key];
    return value == null ? 'Not counted' : text(measure, value);
  };
}

/** The figures of the bars, newest first. */
function MonthsTable({ measure, months }: { measure: Measure; months: Month[] }) {
  const figure = useMonthFigures(measure, months);
  const rows = months.map(({ month, [measure.key]: value }, i) => ({ month, value, i }));
  return (
    <Table fontSize={{ base: '0.8125rem', sm: '0.9375rem' }}>
      <thead>
        <tr>
          <th scope="col">Month</th>
          <th scope="col">{measure.name}</th>
          <th scope="col">A year before</th>
        </tr>
      </thead>
      <tbody>
        {rows
          .filter(({ value }) => value !== null)
          .toReversed()
          .map(({ month, i }) => (
            <tr key={month}>
              <th scope="row">
                {`${longMonth(month)}${i === months.length - 1 ? ' (so far)' : ''}`}
              </th>
              <td>{figure(i)}</td>
              <td>{i < 12 ? '' : figure(i - 12)}</td>
            </tr>
          ))}
      </tbody>
    </Table>
  );
}

/** Narrow charts name the first month of each quarter. */
const quarters = ['01', '04', '07', '10'];

function Bars({ measure, months }: { measure: Measure; months: Month[] }) {
  const { key, name } = measure;
  const figure = useMonthFigures(measure, months);
  const last = months.length - 1;
  const year = months[last]?.month.slice(0, 4) ?? '';
  const most = Math.max(...months.map((month) => month[key] ?? 0));
  return (
    <Plot
      name={`${name} by month`}
      places={months.map(({ month }, i) => {
        const isYear = i === 0 || month.endsWith('-01');
        return {
          label: shortMonth(month),
          ...(isYear && { sublabel: month.slice(0, 4) }),
          // The first year would meet the second one.
          isLabelWide: i === 0 ? !month.endsWith('-01') : !quarters.includes(month.slice(5)),
        };
      })}
      ticks={ticksUpTo(most, { isCount: key !== 'revenue' })}
      inset={18}
      allLabelsFrom="52rem"
      formatTick={useAxisFormat(measure)}
      tooltip={(i) =>
        months[i] && (
          <FigureTip
            title={`${longMonth(months[i].month)}${i === last ? ' so far' : ''}`}
            figures={[
              [name, figure(i)],
              ...(i < 12 ? [] : [['A year before', figure(i - 12)] as const]),
            ]}
          />
        )
      }
      textOf={(i) => (months[i] ? `${longMonth(months[i].month)}: ${figure(i)}` : '')}
    >
      {({ x, y }, active) =>
        months.map(({ month, [key]: value }, i) => (
          <Fragment key={month}>
            {i > 0 && month.endsWith('-01') && <YearLine style={{ left: `${x(i - 0.5)}%` }} />}
            <Bar
              data-year={month.startsWith(year) || undefined}
              data-running={i === last || undefined}
              data-chosen={i === active || undefined}
              style={{ left: `${x(i)}%`, top: `${y(value ?? 0)}%` }}
            />
          </Fragment>
        ))
      }
    </Plot>
  );
}

const YearLine = chakra('div', {
  base: { position: 'absolute', insetY: '0', borderInlineStart: '1px solid {colors.hairline}' },
});

/** From the zero line to its value. */
const Bar = chakra('div', {
  base: {
    position: 'absolute',
    bottom: '0',
    w: { base: '7px', md: '20px' },
    translate: '-50%',
    // Print has no background colours.
    bgImage: 'linear-gradient({colors.field} 0 0)',
    '&[data-year]': { bgImage: 'linear-gradient({colors.fg} 0 0)' },
    '&[data-running]': { bgImage: 'none', border: '2px dashed {colors.fg}', borderBottom: 'none' },
    '&[data-chosen]': { outline: '3px solid var(--focus)', outlineOffset: '2px' },
    printColorAdjust: 'exact',
    '@media (forced-colors: active)': {
      '&:not([data-running])': { bg: 'CanvasText', forcedColorAdjust: 'none' },
    },
  },
});
