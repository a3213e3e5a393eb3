import { Chart, useChart } from '@chakra-ui/charts';
import { CartesianGrid, Line, LineChart, Tooltip, XAxis, YAxis } from 'recharts';
import { shortDate } from './dates.ts';
import { DayTip } from './day-tip.tsx';
import type { Day } from './insights-data.ts';
import type { Measure } from './measures.ts';
import { ticksUpTo } from './scale.ts';

/** Draws a dot for each day up to this number of days. */
const mostPoints = 31;

const compact = new Intl.NumberFormat('en-US', { notation: 'compact' });

/**
 * A line chart of one figure per day. Partial days have a hollow dot and a dotted line. Hidden from
 * screen readers, which read the table instead.
 */
export function DayChart({ days, measure }: { days: Day[]; measure: Measure }) {
  const { of } = measure;
  const chart = useChart({ data: days.map((day, i) => pointOf(days, i, day[of])) });
  const colour = chart.color('line' in measure ? `line.${measure.line}` : 'fg');
  const ticks = ticksUpTo(Math.max(...days.map((day) => day[of])));
  const whole = { stroke: colour, fill: colour, strokeWidth: 3 };
  const still = { isAnimationActive: false, dot: false, activeDot: false } as const;
  return (
    <Chart.Root
      chart={chart}
      aria-hidden="true"
      h="10rem"
      mt="2"
      fontSize="0.8125rem"
      aspectRatio="auto"
      css={drawing}
    >
      <LineChart
        data={chart.data}
        responsive
        accessibilityLayer={false}
        margin={{ top: 8, right: 8, bottom: 0, left: 0 }}
        style={{ width: '100%', height: '100%' }}
      >
        <CartesianGrid vertical={false} stroke={chart.color('hairline')} />
        <XAxis
          dataKey="date"
          tickFormatter={shortDate}
          interval="equidistantPreserveStart"
          minTickGap={28}
          tickMargin={8}
          tickLine={false}
          axisLine={{ stroke: chart.color('field') }}
          padding={{ left: 8, right: 8 }}
        />
        <YAxis
          width="auto"
          ticks={ticks}
          domain={[0, ticks[2]]}
          tickFormatter={(n: number) => `${of === 'revenue' ? '$' : ''}${compact.format(n)}`}
          tickLine={false}
          axisLine={false}
        />
        <Tooltip
          cursor={{ stroke: chart.color('fg') }}
          offset={16}
          isAnimationActive={false}
          content={({ active, label }) => {
            const day = active && days.find(({ date }) => date === label);
            return day ? <DayTip day={day} of={of} /> : null;
          }}
        />
        <Line dataKey="whole" stroke={colour} strokeWidth={3} strokeLinejoin="round" {...still} />
        <Line
          dataKey="edge"
          stroke={colour}
          strokeWidth={3}
          strokeDasharray="0 6"
          strokeLinecap="round"
          {...still}
        />
        <Line
          dataKey="value"
          stroke="none"
          isAnimationActive={false}
          dot={({ cx = 0, cy = 0, index = 0 }) => {
            const isWhole = days[index]?.isWhole;
            if (isWhole && days.length > mostPoints) return <g key={index} />;
            const look = isWhole ? { ...whole, r: 2 } : { ...whole, r: 4, fill: chart.color('bg') };
            return <circle key={index} cx={cx} cy={cy} {...look} />;
          }}
          activeDot={{ r: 6, fill: chart.color('bg'), stroke: chart.color('fg'), strokeWidth: 3 }}
        />
      </LineChart>
    </Chart.Root>
  );
}

/**
 * A data point: `whole` belongs to the solid line of whole days, `edge` to the dotted line of partial days.
 */
function pointOf(days: Day[], i: number, value: number) {
  const isPart = (day: Day | undefined) => day?.isWhole === false;
  const isEdge = isPart(days[i]) || isPart(days[i - 1]) || isPart(days[i + 1]);
  return {
    date: days[i]?.date,
    value,
    whole: isPart(days[i]) ? null : value,
    edge: isEdge ? value : null,
  };
}

/** Animates the lines once, from left to right. */
const drawing = {
  fontVariantNumeric: 'tabular-nums',
  '& .recharts-line': { _motionSafe: { animation: 'run 900ms ease-out' } },
  _print: { breakInside: 'avoid' },
};
