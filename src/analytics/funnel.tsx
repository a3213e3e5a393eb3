import { chakra } from '@chakra-ui/react';
import type { CSSProperties } from 'react';
import type { Line } from '../ui/line.ts';
import type { Figures } from './answer.ts';
import { percent, wholeNumber } from './format.ts';
import { Panel } from './panel.tsx';

/** How many of the visitors went on, step by step. */
export function FunnelPanel({ figures }: { figures: Figures }) {
  return (
    <Panel title="Conversion Funnel">
      <ol>
        <Step line="blue" name="Page Views" count={figures.pageViews} share={100} rate="100%" />
        <Step
          line="red"
          name="CTA Clicks"
          count={figures.ctaClicks}
          share={figures.ctaConversionRate}
          rate={percent(figures.ctaConversionRate)}
        />
        <Step
          line="green"
          name="Conversions"
          count={figures.conversions}
          share={figures.conversionRate}
          rate={percent(figures.conversionRate)}
        />
      </ol>
    </Panel>
  );
}

function Step({
  line,
  name,
  count,
  share,
  rate,
}: {
  line: Line;
  name: string;
  count: number;
  share: number;
  rate: string;
}) {
  return (
    <chakra.li data-line={line} pt={{ base: '5', lg: '8' }}>
      <chakra.p
        display="flex"
        flexWrap="wrap"
        alignItems="baseline"
        columnGap="4"
        fontVariantNumeric="tabular-nums"
      >
        <chakra.span fontWeight="600">{name}</chakra.span>
        <chakra.span color="fg.muted" ms="auto">
          {wholeNumber(count)}
        </chakra.span>
        <chakra.strong textStyle="h4" minW="5rem" textAlign="end">
          {rate}
        </chakra.strong>
      </chakra.p>
      <Track aria-hidden="true">
        <Way style={{ '--share': Math.min(1, Math.max(0, share / 100)) } as CSSProperties} />
      </Track>
    </chakra.li>
  );
}

/** The whole way, drawn faint. Its padding is half a station, so that none hangs over an end. */
const Track = chakra('div', {
  base: {
    mt: '2',
    px: '11px',
    overflow: 'clip',
    bgImage: 'linear-gradient({colors.hairline}, {colors.hairline})',
    backgroundSize: '100% 1px',
    backgroundPosition: 'center',
    backgroundRepeat: 'no-repeat',
  },
});

/** As far as they came: a line and its station, moved by transforms so that nothing is laid out anew. */
const Way = chakra('div', {
  base: {
    position: 'relative',
    h: '24px',
    '&::before, &::after': {
      content: '""',
      position: 'absolute',
      insetStart: '0',
      transition: 'transform 200ms ease-out',
    },
    _before: {
      w: 'full',
      top: '8px',
      h: '8px',
      bg: 'var(--line)',
      transformOrigin: 'left',
      transform: 'scaleX(var(--share))',
    },
    _after: {
      // As wide as the way, so that a percentage of itself is one of the way; only its start is drawn.
      w: 'full',
      top: '1px',
      h: '22px',
      ms: '-11px',
      transform: 'translateX(calc(var(--share) * 100%))',
      bgImage:
        'radial-gradient(circle 11px at 11px 50%, {colors.bg} 7px, {colors.fg} 7.5px 10.5px, transparent 11px)',
    },
  },
});
