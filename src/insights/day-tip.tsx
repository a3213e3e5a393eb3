import { chakra } from '@chakra-ui/react';
import { tooltipStyles } from '../theme/tooltip-recipe.ts';
import { shortDate, weekday } from './dates.ts';
import type { Day } from './insights-data.ts';
import { type Measure, measures } from './measures.ts';

/** The chart's tooltip: all figures of one day. */
export function DayTip({ day, of }: { day: Day; of: Measure['of'] }) {
  return (
    <Bubble>
      <chakra.p fontWeight="700">
        {weekday(day.date)}, {shortDate(day.date)}
      </chakra.p>
      {!day.isWhole && <p>Partial day</p>}
      <chakra.dl mt="1">
        {measures.map((measure) => (
          <Row key={measure.of} data-chosen={measure.of === of || undefined}>
            <dt>{measure.name}</dt>
            <dd>{measure.text(day[measure.of])}</dd>
          </Row>
        ))}
      </chakra.dl>
    </Bubble>
  );
}

const Bubble = chakra('div', { base: { ...tooltipStyles, minW: '11rem' } });

const Row = chakra('div', {
  base: {
    display: 'flex',
    justifyContent: 'space-between',
    columnGap: '4',
    '&[data-chosen]': { fontWeight: '700' },
  },
});
