import { Box, chakra } from '@chakra-ui/react';
import type { ComponentProps } from 'react';
import { type Place, Plot } from './plot.tsx';

export interface Point extends Place {
  value: number;
  /** Drawn hollow, with a dashed line to its neighbours. */
  isPartial: boolean;
  /** Stands on a shaded background. */
  isShaded: boolean;
}

/** A line through points, in front of a dotted line of earlier values. */
export function LineChart({
  points,
  before,
  color,
  ...plot
}: {
  points: Point[];
  /** Earlier values at the same places; may be shorter or empty. */
  before: number[];
  color: string;
} & Pick<
  ComponentProps<typeof Plot>,
  'name' | 'ticks' | 'formatTick' | 'tooltip' | 'textOf' | 'onOpen'
>) {
  return (
    <Plot {...plot} places={points} inset={8} allLabelsFrom="34rem">
      {({ x, y }, active) => {
        const place = (i: number, value: number) => `${x(i).toFixed(2)} ${y(value).toFixed(2)}`;
        const lines = linesOf(points, place);
        return (
          <>
            <Drawing viewBox="0 0 100 100" preserveAspectRatio="none" aria-hidden="true">
              {spansOf(points).map(([from, to]) => {
                const [start, end] = [Math.max(0, x(from - 0.5)), Math.min(100, x(to + 0.5))];
                return <rect key={from} x={start} width={end - start} height="100" />;
              })}
              <path
                data-before=""
                d={before.map((value, i) => `${i === 0 ? 'M' : 'L'}${place(i, value)}`).join('')}
              />
              <path data-halo="" d={lines.whole} />
              <chakra.path d={lines.whole} stroke={color} />
              <chakra.path d={lines.partial} stroke={color} strokeDasharray="4 6" />
            </Drawing>
            {points.map(({ value, isPartial }, i) =>
              isPartial ? (
                <Ring key={x(i)} left={`${x(i)}%`} top={`${y(value)}%`} borderColor={color} />
              ) : null,
            )}
            {points[active] && (
              <>
                <Box
                  position="absolute"
                  insetY="0"
                  left={`${x(active)}%`}
                  ms="-0.75px"
                  borderInlineStart="1.5px solid {colors.fg}"
                />
                <Ring
                  left={`${x(active)}%`}
                  top={`${y(points[active].value)}%`}
                  boxSize="3"
                  borderColor="fg"
                />
              </>
            )}
          </>
        );
      }}
    </Plot>
  );
}

/** The line through whole points, and the pieces that start or end at a partial one, as SVG paths. */
function linesOf(points: Point[], place: (i: number, value: number) => string) {
  let [whole, partial] = ['', ''];
  for (const [i, { value, isPartial }] of points.entries()) {
    const from = points[i - 1];
    const isJoined = from && !from.isPartial && !isPartial;
    if (!isPartial) whole += `${isJoined ? 'L' : 'M'}${place(i, value)}`;
    if (from && !isJoined) partial += `M${place(i - 1, from.value)}L${place(i, value)}`;
  }
  return { whole, partial };
}

/** The first and the last point of each shaded stretch. */
function spansOf(points: Point[]): [from: number, to: number][] {
  const spans: [number, number][] = [];
  for (const [i, { isShaded }] of points.entries()) {
    const span = spans.at(-1);
    if (isShaded && span?.[1] === i - 1) span[1] = i;
    else if (isShaded) spans.push([i, i]);
  }
  return spans;
}

const Drawing = chakra('svg', {
  base: {
    position: 'relative',
    display: 'block',
    boxSize: 'full',
    overflow: 'visible',
    fill: 'none',
    strokeWidth: '3px',
    strokeLinecap: 'round',
    strokeLinejoin: 'round',
    '& path': { vectorEffect: 'non-scaling-stroke' },
    '& rect': { fill: 'bg.tint', opacity: 0.75 },
    '& [data-halo]': { stroke: 'bg', strokeWidth: '7px' },
    '& [data-before]': { stroke: 'field', strokeWidth: '2.5px', strokeDasharray: '0 6' },
  },
});

const Ring = chakra('div', {
  base: {
    position: 'absolute',
    boxSize: '2.5',
    translate: '-50% -50%',
    borderWidth: '2.5px',
    borderRadius: '50%',
    bg: 'bg',
  },
});
