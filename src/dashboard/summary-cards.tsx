import { chakra, Grid, Span, Stat } from '@chakra-ui/react';
import type { Figures, Report } from '../admin/report.ts';
import { SampleTag } from '../admin/sample.tsx';
import { Change } from '../insights/change.tsx';
import { figureOf, type Measure, measures, useFigures, wholeDays } from '../insights/measures.ts';
import type { Insights } from '../insights/use-insights.ts';
import { statNote } from '../theme/slot-recipes.ts';
import { stop } from '../theme/stop.ts';
import { Hint } from './hint.tsx';
import { hintOf, isKnown, noteOf } from './metric.ts';
import { Sparkline } from './sparkline.tsx';

/** The four summary cards. The pressed one chooses the metric of the chart. */
export function SummaryCards({
  report,
  insights,
  isLoading,
  chosen,
  onChoose,
}: {
  report: Report | undefined;
  insights: Insights | undefined;
  isLoading: boolean;
  chosen: Measure;
  onChoose: (measure: Measure) => void;
}) {
  const text = useFigures();
  return (
    <Grid
      as="dl"
      aria-label="Summary"
      // One, two or four beside each other: fewer when the text is larger.
      templateColumns={{
        base: 'repeat(auto-fit, minmax(min(100%, max(9.5rem, 33%)), 1fr))',
        lg: 'repeat(auto-fit, minmax(min(100%, 12.5rem), 1fr))',
      }}
      columnGap="6"
      mt="5"
      data-loading={isLoading || undefined}
    >
      {measures.map((measure) => (
        <Card
          key={measure.key}
          as="div"
          data-line={'line' in measure ? measure.line : undefined}
          data-chosen={measure === chosen || undefined}
        >
          <Stat.Label>
            <Name type="button" aria-pressed={measure === chosen} onClick={() => onChoose(measure)}>
              {measure.name}
            </Name>
            <Hint about={measure.name} text={hintOf(measure, report)} />
            <SampleTag />
            {insights && <Sparkline values={insights.days.map((day) => day[measure.key])} />}
          </Stat.Label>
          <Stat.ValueText>
            {report && isKnown(measure, report) ? (
              text(measure, figureOf(report.figures, measure))
            ) : (
              <Unknown>–</Unknown>
            )}
          </Stat.ValueText>
          <Stat.HelpText as="dd">
            {isLoading ? <Unknown>{noteOf(measure)}</Unknown> : noteOf(measure, report)}
          </Stat.HelpText>
          <chakra.dd minH="6" textStyle="small" fontSize={statNote}>
            {report && insights?.previous && (
              <Change
                measure={measure}
                now={measured(report.figures)}
                before={measured(insights.previous)}
                parts={[insights.previousDays, insights.days].map(wholeDays)}
              />
            )}
            {isLoading && <Unknown aria-hidden="true">from 0,000</Unknown>}
          </chakra.dd>
        </Card>
      ))}
    </Grid>
  );
}

const measured = (figures: Figures) => ({ ...figures, revenue: figures.totalRevenue });

/**
 * On wide screens the rule of the chosen card bends down its right edge to the rule of the chart, and a
 * station marks where they meet. On narrow ones the station stands at the end of the card's own rule.
 */
const Card = chakra(Stat.Root, {
  base: {
    '&[data-chosen]::after': {
      ...stop({ size: 20 }),
      top: { base: '-12px', lg: 'auto' },
      bottom: { lg: '-12px' },
      insetEnd: '-8px',
    },
    '&[data-chosen]': {
      lg: {
        borderInlineEnd: '4px solid var(--line, {colors.fg})',
        borderStartEndRadius: '24px',
      },
    },
  },
});

/** The name of the figure is the button; the whole card presses it. */
const Name = chakra('button', {
  base: {
    fontWeight: '600',
    cursor: 'pointer',
    textAlign: 'start',
    // A 44 px touch target on phones.
    minH: { base: '11', md: 'auto' },
    my: { base: '-2', md: '0' },
    '@media (forced-colors: active)': { textDecoration: 'underline' },
    _after: { content: '""', position: 'absolute', inset: '0' },
    _hover: { textDecoration: 'underline', textUnderlineOffset: '4px' },
    _focusVisible: { outline: 'none', _after: { outline: '3px solid var(--focus)' } },
  },
});

/** In the place of text that is not known: a block while it loads, then the text itself. */
const Unknown = chakra(Span, {
  base: {
    'dl[data-loading] &': {
      bg: 'bg.tint',
      color: 'transparent',
      userSelect: 'none',
      borderRadius: 'button',
    },
  },
});
