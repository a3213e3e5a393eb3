import { Box, chakra, Flex, Grid, Text } from '@chakra-ui/react';
import { type ReactNode, useState } from 'react';
import { ticksUpTo } from './scale.ts';

interface Point {
  /** Unique; some of the labels stand below the chart. */
  label: string;
  value: number;
  isPartial: boolean;
}

/** Draws a dot for each point up to this number of points. */
const mostDots = 31;

/** From the plot's edges to the first and the last point, in px. */
const inset = 8;

/** From a point to its tooltip, in px. */
const offset = 16;

/**
 * A line through points at equal distances, from 0 upwards. Partial points are hollow and their
 * segments dotted. Hidden from screen readers: show the same figures as text.
 */
export function LineChart({
  points,
  color,
  height,
  formatTick,
  tooltip,
}: {
  points: Point[];
  color: string;
  height: string;
  formatTick: (value: number) => string;
  /** The tooltip of the point under the pointer. */
  tooltip: (index: number) => ReactNode;
}) {
  const [active, setActive] = useState(-1);
  const activePoint = points[active];
  const last = Math.max(points.length - 1, 1);
  const ticks = ticksUpTo(Math.max(...points.map(({ value }) => value)));
  // Percentages fit the drawing to any width without measuring it.
  const x = (i: number) => `${(100 * i) / last}%`;
  const y = (value: number) => `${100 - (100 * value) / ticks[2]}%`;
  const activate = (plot: Element, clientX: number) => {
    const { left, width } = plot.getBoundingClientRect();
    const i = Math.round(((clientX - left - inset) / (width - 2 * inset)) * last);
    setActive(Math.min(Math.max(i, 0), last));
  };
  return (
    <Grid
      as="figure"
      aria-hidden="true"
      templateColumns="auto 1fr"
      templateRows="minmax(0, 1fr) 1.875rem"
      columnGap="2"
      h={height}
      mt="2"
      pt="2"
      pe="2"
      containerType="inline-size"
      color="fg.muted"
      fontSize="0.8125rem"
      fontVariantNumeric="tabular-nums"
      lineHeight="0"
    >
      <Flex direction="column-reverse" justify="space-between" textAlign="end">
        {ticks.map((tick) => (
          <Text key={tick}>{formatTick(tick)}</Text>
        ))}
      </Flex>
      <Box
        position="relative"
        px={`${inset}px`}
        onMouseMove={(event) => activate(event.currentTarget, event.clientX)}
        onMouseLeave={() => setActive(-1)}
        onTouchMove={({ currentTarget, touches }) =>
          touches[0] && activate(currentTarget, touches[0].clientX)
        }
      >
        {ticks.map((tick) => (
          <Box
            key={tick}
            position="absolute"
            insetX="0"
            top={y(tick)}
            borderTop="1px solid"
            borderColor={tick === 0 ? 'field' : 'hairline'}
          />
        ))}
        <chakra.svg position="relative" boxSize="full" overflow="visible">
          {activePoint && (
            <chakra.line x1={x(active)} x2={x(active)} y1="0" y2="100%" stroke="fg" />
          )}
          <Line stroke={color} fill={color}>
            {points.slice(1).map(({ label, value, isPartial }, i) => {
              const from = points[i];
              if (!from) return null;
              return (
                <line
                  key={label}
                  x1={x(i)}
                  y1={y(from.value)}
                  x2={x(i + 1)}
                  y2={y(value)}
                  data-partial={from.isPartial || isPartial || undefined}
                />
              );
            })}
            {points.map(({ label, value, isPartial }, i) =>
              isPartial || points.length <= mostDots ? (
                <circle
                  key={label}
                  cx={x(i)}
                  cy={y(value)}
                  r={isPartial ? 4 : 2}
                  data-partial={isPartial || undefined}
                />
              ) : null,
            )}
          </Line>
          {activePoint && (
            <chakra.circle
              cx={x(active)}
              cy={y(activePoint.value)}
              r="6"
              fill="bg"
              stroke="fg"
              strokeWidth="3px"
            />
          )}
        </chakra.svg>
        {activePoint && (
          <Flex
            direction={active > last / 2 ? 'row-reverse' : 'row'}
            align="start"
            position="absolute"
            insetY="0"
            insetX={`${inset}px`}
            pointerEvents="none"
          >
            {/* Shrinks when the tooltip needs its space. */}
            <Box w={`calc(${x(Math.min(active, last - active))} + ${offset}px)`} />
            <Box flexShrink="0">{tooltip(active)}</Box>
          </Flex>
        )}
      </Box>
      <Box gridColumn="2" position="relative" mx={`${inset}px`}>
        {points.map(({ label }, i) => {
          const isOneOf = (most: number) => i % Math.ceil(points.length / most) === 0;
          const [isShownNarrow, isShownWide] = [isOneOf(4), isOneOf(5)];
          if (!isShownNarrow && !isShownWide) return null;
          return (
            <Text
              key={label}
              display={isShownNarrow ? 'block' : 'none'}
              css={{ '@container (min-width: 24rem)': { display: isShownWide ? 'block' : 'none' } }}
              position="absolute"
              top="1.15rem"
              left={x(i)}
              translate="-50%"
              whiteSpace="nowrap"
            >
              {label}
            </Text>
          );
        })}
      </Box>
    </Grid>
  );
}

/** Appears from left to right. */
const Line = chakra('g', {
  base: {
    strokeWidth: '3px',
    strokeLinecap: 'round',
    '& line[data-partial]': { strokeDasharray: '0 6' },
    '& circle[data-partial]': { fill: 'bg' },
    _motionSafe: { clipPath: 'inset(-9em)', animation: 'run 900ms ease-out' },
  },
});
