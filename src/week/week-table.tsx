/** How the week is drawn. */
import { chakra } from '@chakra-ui/react';

/** The width of the names of the days. */
const names = '7rem';

/** The hours above the grid. */
export const Labels = chakra('ol', {
  base: {
    position: 'relative',
    h: '36px',
    ms: names,
    fontSize: '0.8125rem',
    color: 'fg.muted',
    '& li': {
      position: 'absolute',
      bottom: '2',
      transform: 'translateX(-50%)',
      whiteSpace: 'nowrap',
    },
    '& li:first-child': { transform: 'none' },
    '& li:last-child': { transform: 'translateX(-100%)' },
  },
});

/** A row for each day; what stands in its track is placed by the time. */
export const Grid = chakra('table', {
  base: {
    w: 'full',
    tableLayout: 'fixed',
    borderCollapse: 'collapse',
    userSelect: 'none',
    '& th': { w: names, p: '0' },
    '& td': { p: '0' },
    '& th button': {
      w: 'full',
      h: '10',
      textAlign: 'start',
      fontWeight: '600',
      cursor: 'pointer',
      _hover: { textDecoration: 'underline', textUnderlineOffset: '4px' },
    },
    '& [data-track]': {
      position: 'relative',
      h: '10',
      borderTop: '1px solid {colors.hairline}',
      cursor: 'crosshair',
      // A vertical drag scrolls the page.
      touchAction: 'pan-y',
      bgImage:
        'repeating-linear-gradient(to right, {colors.hairline} 0 1px, transparent 1px calc(100% / var(--hours)))',
      bgSize: '100% calc(100% - 3px)',
      bgRepeat: 'no-repeat',
    },
    '& [data-track] > *': {
      position: 'absolute',
      insetBlock: '5px',
      minW: '6',
      ps: '2.5',
      overflow: 'hidden',
      borderRadius: '3px',
      bg: 'line.blue',
      color: 'bg',
      fontSize: '0.875rem',
      fontWeight: '600',
      lineHeight: '30px',
      textAlign: 'start',
      whiteSpace: 'nowrap',
      fontVariantNumeric: 'tabular-nums',
      cursor: 'grab',
      touchAction: 'none',
    },
    '& [data-track] > [aria-current]': {
      outline: '3px solid {colors.fg}',
      outlineOffset: '2px',
      zIndex: '1',
    },
    '& [data-track] > [data-old]': { opacity: '0.35' },
    '& [data-track] > [data-new]': { zIndex: '2', pointerEvents: 'none' },
    '& [data-track] > [data-unreadable]': {
      insetInlineEnd: '0',
      pe: '2.5',
      bg: 'bg',
      color: 'line.red',
      // Hours can be drawn in its place.
      pointerEvents: 'none',
    },
    // The name of the button says them in full.
    '& [data-times]::before': { content: 'attr(data-times)' },
    '& i': {
      position: 'absolute',
      insetBlock: '0',
      w: '10px',
      cursor: 'ew-resize',
      '@media (pointer: coarse)': { w: '18px' },
      '&[data-edge=from]': { insetInlineStart: '0' },
      '&[data-edge=to]': { insetInlineEnd: '0' },
    },
    '& [aria-current] i::before': {
      content: '""',
      position: 'absolute',
      insetBlock: '8px',
      w: '4px',
      borderRadius: '2px',
      bg: 'bg',
    },
    '& [data-edge=from]::before': { insetInlineStart: '3px' },
    '& [data-edge=to]::before': { insetInlineEnd: '3px' },
    '&[data-dragged=both] *': { cursor: 'grabbing' },
    '&[data-dragged=from] *, &[data-dragged=to] *': { cursor: 'ew-resize' },
    '&[aria-readonly] *': { cursor: 'default' },
    '@media (forced-colors: active)': {
      '& [data-track] > *': { border: '2px solid ButtonText', lineHeight: '26px' },
      '& [data-track] > [aria-current]': { outlineColor: 'Highlight' },
    },
  },
});
