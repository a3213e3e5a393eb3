import { chakra, defineStyle, List, Span, Strong } from '@chakra-ui/react';
import type { CSSProperties } from 'react';
import { formatNumber } from '../../server/contract/numbers.ts';
import { percent } from '../admin/format.ts';
import { Note, Panel } from '../admin/panel.tsx';
import type { Report } from '../admin/report.ts';
import type { Line } from '../theme/page-css.ts';

/**
 * The conversion funnel: each step with its count and its share of page views, in percent. A button has no
 * views, so that its shares are of its clicks. Without a report it shows only the names.
 */
export function FunnelPanel({ report }: { report: Report | undefined }) {
  const { pageViews, ctaClicks, conversions, ctaConversionRate, conversionRate } =
    report?.figures ?? {};
  const isOfButton = report?.filter.button !== undefined;
  const steps: Step[] = [
    // The bar of no views is empty, too.
    {
      line: 'blue',
      name: 'Page Views',
      count: isOfButton ? undefined : pageViews,
      share: pageViews ? 100 : 0,
      rate: '100%',
    },
    {
      line: 'red',
      name: 'CTA Clicks',
      count: ctaClicks,
      share: isOfButton ? ctaClicks && 100 : ctaConversionRate,
    },
    {
      line: 'green',
      name: 'Conversions',
      count: conversions,
      share: isOfButton ? ctaClicks && (100 * (conversions ?? 0)) / ctaClicks : conversionRate,
    },
  ];
  return (
    <Panel title="Conversion Funnel">
      <List.Root as="ol">
        {steps.map(({ line, name, count, share = 0, rate = percent(share) }) => (
          <List.Item key={name} data-line={line} css={step}>
            <Span gridArea="name" fontWeight="600">
              {name}
            </Span>
            <Span gridArea="count" color="fg.muted" textAlign="end">
              {count === undefined ? '–' : formatNumber(count)}
            </Span>
            <Strong gridArea="rate" fontSize="1.25rem" textAlign="end">
              {count !== undefined && rate}
            </Strong>
            <Track aria-hidden="true">
              {count !== undefined && (
                <Bar
                  style={{ '--share': Math.min(1, Math.max(0, share / 100)) } as CSSProperties}
                />
              )}
            </Track>
          </List.Item>
        ))}
      </List.Root>
      {isOfButton && <Note>Page views belong to no button. Shares are of clicks.</Note>}
    </Panel>
  );
}

interface Step {
  line: Line;
  name: string;
  count: number | undefined;
  /** Of the first step, in percent. */
  share: number | undefined;
  /** By default, the share. */
  rate?: string;
}

/** Name, bar and figures in one row on wide screens; the bar below them on narrow ones. */
const step = defineStyle({
  display: 'grid',
  gridTemplateAreas: { base: '"name count rate" "bar bar bar"', lg: '"name bar count rate"' },
  gridTemplateColumns: { base: '1fr auto 5.5rem', lg: '7rem 1fr 4.5rem 5rem' },
  alignItems: { base: 'baseline', lg: 'center' },
  columnGap: '4',
  minH: { lg: '11' },
  pt: { base: '4', lg: '0' },
  fontVariantNumeric: 'tabular-nums',
});

/** The track behind the bar. Its padding is half a marker, so that markers do not overflow. */
const Track = chakra('div', {
  base: {
    minH: '24px',
    gridArea: 'bar',
    mt: { base: '2', lg: '0' },
    px: '11px',
    overflow: 'clip',
    bgImage: 'linear-gradient({colors.hairline}, {colors.hairline})',
    backgroundSize: '100% 1px',
    backgroundPosition: 'center',
    backgroundRepeat: 'no-repeat',
  },
});

/** The bar and its marker. They move by transforms, which avoids a new layout. */
const Bar = chakra('div', {
  base: {
    position: 'relative',
    h: '24px',
    // Browsers omit backgrounds in print by default.
    printColorAdjust: 'exact',
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
      '@media (forced-colors: active)': { bg: 'CanvasText', forcedColorAdjust: 'none' },
    },
    _after: {
      // As wide as the bar, so that translateX percentages refer to the bar's width.
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
