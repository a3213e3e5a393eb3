import { Box, chakra, Flex, Grid, Text } from '@chakra-ui/react';
import { type KeyboardEvent, type ReactNode, useState } from 'react';

export interface Point {
  value: number;
  /** Drawn hollow, with a dashed line to its neighbours. */
  isPartial: boolean;
  /** Stands on a shaded background. */
  isShaded: boolean;
  /** Written below the chart. */
  label?: string;
  /** Narrow charts leave this label out. */
  isLabelWide?: boolean;
}

/** From the plot's edges to the first and the last point, in px. */
const inset = 8;

/** From a point to its tooltip, in px. */
const offset = 16;

/**
 * A line through points at equal distances, from 0 upwards, in front of a dotted line of earlier values. A
 * slider to the keyboard and to screen readers: arrow keys choose a point, Enter opens it.
 */
export function LineChart({
  name,
  points,
  before,
  ticks,
  color,
  formatTick,
  tooltip,
  textOf,
  onOpen,
}: {
  name: string;
  points: Point[];
  /** Earlier values at the same places; may be shorter or empty. */
  before: number[];
  /** The values of the horizontal lines, from 0 upwards. */
  ticks: number[];
  color: string;
  formatTick: (value: number) => string;
  /** The tooltip of the chosen point. */
  tooltip: (index: number) => ReactNode;
  /** The chosen point in words. */
  textOf: (index: number) => string;
  onOpen: (index: number) => void;
}) {
  const [chosen, setChosen] = useState(-1);
  const last = Math.max(points.length - 1, 1);
  const active = Math.min(chosen, last);
  const top = ticks.at(-1) || 1;
  const x = (i: number) => (100 * i) / last;
  const y = (value: number) => 100 - (100 * value) / top;
  const choose = (plot: Element, clientX: number) => {
    const { left, width } = plot.getBoundingClientRect();
    const i = Math.round(((clientX - left - inset) / (width - 2 * inset)) * last);
    setChosen(Math.min(Math.max(i, 0), last));
  };
  const press = (event: KeyboardEvent) => {
    const from = active < 0 ? last : active;
    const target = {
      ArrowLeft: from - 1,
      ArrowDown: from - 1,
      ArrowRight: from + 1,
      ArrowUp: from + 1,
      PageDown: from - 7,
      PageUp: from + 7,
      Home: 0,
      End: last,
    }[event.key];
    if (target !== undefined) setChosen(Math.min(Math.max(target, 0), last));
    else if (event.key === 'Escape') setChosen(-1);
    else if (event.key === 'Enter' && active >= 0) onOpen(active);
    else return;
    event.preventDefault();
  };
  const activePoint = points[active];
  const place = (i: number, value: number) => `${x(i).toFixed(2)} ${y(value).toFixed(2)}`;
  const lines = linesOf(points, place);
  return (
    <Grid
      as="figure"
      templateColumns={{ base: '2rem minmax(0, 1fr)', sm: '2.5rem minmax(0, 1fr)' }}
      templateRows="minmax(0, 1fr) 1.875rem"
      h="clamp(160px, 48vw, 226px)"
      pt="2"
      containerType="inline-size"
      color="fg.muted"
      fontSize="0.8125rem"
      fontVariantNumeric="tabular-nums"
      lineHeight="0"
    >
      <Flex direction="column-reverse" justify="space-between" aria-hidden="true">
        {ticks.map((tick) => (
          <Text key={tick}>{formatTick(tick)}</Text>
        ))}
      </Flex>
      <Plot
        role="slider"
        tabIndex={0}
        aria-label={name}
        aria-valuemin={0}
        aria-valuemax={last}
        aria-valuenow={active < 0 ? last : active}
        aria-valuetext={textOf(active < 0 ? last : active)}
        onPointerMove={(event) => choose(event.currentTarget, event.clientX)}
        onPointerDown={(event) => choose(event.currentTarget, event.clientX)}
        onPointerLeave={() => setChosen(-1)}
        onFocus={({ currentTarget }) =>
          currentTarget.matches(':focus-visible') && active < 0 && setChosen(last)
        }
        onBlur={() => setChosen(-1)}
        onKeyDown={press}
      >
        {ticks.map((tick) => (
          <Box
            key={tick}
            position="absolute"
            insetX="0"
            top={`${y(tick)}%`}
            borderTop="1px solid"
            borderColor={tick === 0 ? 'field' : 'hairline'}
          />
        ))}
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
        <Box position="absolute" insetY="0" insetX={`${inset}px`} pointerEvents="none">
          {points.map(({ value, isPartial }, i) =>
            isPartial ? (
              <Ring key={x(i)} left={`${x(i)}%`} top={`${y(value)}%`} borderColor={color} />
            ) : null,
          )}
          {activePoint && (
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
                top={`${y(activePoint.value)}%`}
                boxSize="3"
                borderColor="fg"
              />
              <Flex
                direction={active > last / 2 ? 'row-reverse' : 'row'}
                align="start"
                position="absolute"
                insetY="0"
                insetX="0"
                zIndex="1"
              >
                {/* Shrinks when the tooltip needs its space. */}
                <Box w={`calc(${x(Math.min(active, last - active))}% + ${offset}px)`} />
                <Box flexShrink="0">{tooltip(active)}</Box>
              </Flex>
            </>
          )}
        </Box>
      </Plot>
      <Box gridColumn="2" position="relative" mx={`${inset}px`} aria-hidden="true">
        {points.map(({ label, isLabelWide }, i) =>
          label === undefined ? null : (
            <Text
              key={label}
              display={isLabelWide ? 'none' : undefined}
              css={{ '@container (min-width: 34rem)': { display: 'block' } }}
              position="absolute"
              top="1.15rem"
              left={`${x(i)}%`}
              translate={i === last ? 'calc(8px - 100%)' : '-50%'}
              whiteSpace="nowrap"
            >
              {label}
            </Text>
          ),
        )}
      </Box>
    </Grid>
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

const Plot = chakra('div', {
  base: {
    position: 'relative',
    px: `${inset}px`,
    touchAction: 'pan-y',
    _focusVisible: { outlineOffset: '4px', borderRadius: 'button' },
  },
});

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
