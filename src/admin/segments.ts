/** The look of a choice of a few that stand side by side: one of them is chosen. */
import { defineStyle } from '@chakra-ui/react';

/** The frame around them. */
export const segmentBar = defineStyle({
  display: 'flex',
  w: { base: 'full', sm: 'auto' },
  borderWidth: '2px',
  borderColor: 'fg',
  borderRadius: 'button',
});

const chosen = '[aria-current], :has(:checked)';

/** One of them: a link, or the label of a control. */
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
  // Ink is printed too: without it nobody could tell which one is chosen.
  printColorAdjust: 'exact',
  [`&:hover:not(${chosen})`]: { bg: 'bg.tint' },
  [`&:is(${chosen})`]: { bg: 'fg', color: 'bg' },
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
