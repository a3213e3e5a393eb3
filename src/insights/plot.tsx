import { Box, chakra, Flex, Grid, Text } from '@chakra-ui/react';
import { type KeyboardEvent, type ReactNode, useState } from 'react';

/** What stands below a point of the plot. */
export interface Place {
  label?: string;
  /** A second line. */
  sublabel?: string;
  /** Narrow plots leave this label out. */
  isLabelWide?: boolean;
}

/** The position of a point or value, in percent of the plot's width and height. */
interface Scale {
  x: (index: number) => number;
  y: (value: number) => number;
}

/** From a point to its tooltip, in px. */
const offset = 16;

/** Half of a short label, in px. With less space beside the last point, its label ends at the edge. */
const halfLabel = 16;

/**
 * The frame of a chart of points at equal distances, from 0 upwards: axes and tooltip. A slider to the
 * keyboard and to screen readers: arrow keys choose a point, Enter opens it.
 */
export function Plot({
  name,
  places,
  ticks,
  inset,
  allLabelsFrom,
  formatTick,
  tooltip,
  textOf,
  onOpen,
  children,
}: {
  name: string;
  places: Place[];
  /** The values of the horizontal lines, from 0 upwards. */
  ticks: number[];
  /** From the plot's edges to the first and the last point, in px. */
  inset: number;
  /** The width of the chart from which it has all labels. */
  allLabelsFrom: string;
  formatTick: (value: number) => string;
  /** The tooltip of the chosen point. */
  tooltip: (index: number) => ReactNode;
  /** The chosen point in words. */
  textOf: (index: number) => string;
  onOpen?: (index: number) => void;
  /** Draws the points; `active` is the chosen one, or -1. */
  children: (scale: Scale, active: number) => ReactNode;
}) {
  const [chosen, setChosen] = useState(-1);
  const last = Math.max(places.length - 1, 1);
  const active = Math.min(chosen, last);
  const top = ticks.at(-1) || 1;
  const scale: Scale = { x: (i) => (100 * i) / last, y: (value) => 100 - (100 * value) / top };
  const { x, y } = scale;
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
    else if (event.key === 'Enter' && active >= 0) onOpen?.(active);
    else return;
    event.preventDefault();
  };
  const hasSublabels = places.some(({ sublabel }) => sublabel !== undefined);
  return (
    <Grid
      as="figure"
      templateColumns={{ base: '2rem minmax(0, 1fr)', sm: '2.5rem minmax(0, 1fr)' }}
      templateRows={`minmax(0, 1fr) ${hasSublabels ? '3' : '1.875'}rem`}
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
      <Area
        role="slider"
        tabIndex={0}
        aria-label={name}
        aria-valuemin={0}
        aria-valuemax={last}
        aria-valuenow={active < 0 ? last : active}
        aria-valuetext={textOf(active < 0 ? last : active)}
        px={`${inset}px`}
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
        <Box position="absolute" insetY="0" insetX={`${inset}px`} pointerEvents="none">
          {children(scale, active)}
          {places[active] && (
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
          )}
        </Box>
      </Area>
      <Box gridColumn="2" position="relative" mx={`${inset}px`} aria-hidden="true">
        {places.map(({ label, sublabel, isLabelWide }, i) =>
          label === undefined ? null : (
            <Box
              key={x(i)}
              display={isLabelWide ? 'none' : undefined}
              css={{ [`@container (min-width: ${allLabelsFrom})`]: { display: 'block' } }}
              position="absolute"
              top="0.55rem"
              left={`${x(i)}%`}
              translate={i === last && inset < halfLabel ? `calc(${inset}px - 100%)` : '-50%'}
              lineHeight="1.5"
              textAlign="center"
              whiteSpace="nowrap"
            >
              <span>{label}</span>
              {sublabel && (
                <Text fontWeight="700" color="fg">
                  {sublabel}
                </Text>
              )}
            </Box>
          ),
        )}
      </Box>
    </Grid>
  );
}

const Area = chakra('div', {
  base: {
    position: 'relative',
    touchAction: 'pan-y',
    _focusVisible: { outlineOffset: '4px', borderRadius: 'button' },
  },
});
