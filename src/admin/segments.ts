/** Styles of a segmented control. */
import { defineStyle } from '@chakra-ui/react';

/** The container of the segments. */
export const segmentBar = defineStyle({
  display: 'flex',
  w: { base: 'full', sm: 'auto' },
  borderWidth: '2px',
  borderColor: 'fg',
  borderRadius: 'button',
});

const chosen = '[aria-current], :has(:checked)';

/** One segment: a link, or the label of a radio button. */
export const segment = defineStyle({
  position: 'relative',
  display: 'flex',
  flex: '1 1 auto',
  alignItems: 'center',
  justifyContent: 'center',
  gap: '2',
  minH: '11',
  px: { base: '1', sm: '4' },
  fontSize: { base: '0.875rem', sm: '0.9375rem' },
  fontWeight: '600',
  textAlign: 'center',
  lineHeight: '1.2',
  cursor: 'pointer',
  transition: 'background-color 150ms, color 150ms',
  '& + &': { borderInlineStart: '2px solid', borderColor: 'fg' },
  [`&:hover:not(${chosen})`]: { bg: 'bg.tint' },
  [`&:is(${chosen})`]: {
    bg: 'fg',
    color: 'bg',
    // Print has no background colours.
    _print: { textDecoration: 'underline', textUnderlineOffset: '4px' },
  },
  '&:is(:focus-visible, :has(:focus-visible))': {
    outline: '3px solid var(--focus)',
    outlineOffset: '4px',
    borderRadius: 'button',
    zIndex: '1',
  },
  '@media (forced-colors: active)': {
    [`&:is(${chosen})`]: { forcedColorAdjust: 'none', bg: 'Highlight', color: 'HighlightText' },
  },
});
