/** Page-wide styles: scrolling, focus, motion, print. */
import { defineGlobalStyles } from '@chakra-ui/react';

/** The three lines of the map: one colour for each service. */
export type Line = 'blue' | 'red' | 'green';

export const pageCss = defineGlobalStyles({
  html: {
    scrollbarGutter: 'stable',
    '--focus': 'colors.fg',
    scrollPaddingTop: '80px',
    _motionSafe: { scrollBehavior: 'smooth' },
    // With the padding, focus on a link of the header would scroll the page to move it below the header.
    '&:has(header :focus)': { scrollPaddingTop: '0', '& main [id]': { scrollMarginTop: '80px' } },
    // The gutter above keeps the place of the scrollbar, in the colour of the page under the backdrop.
    '&:has(dialog:modal)': {
      overflow: 'hidden',
      bg: 'color-mix(in srgb, {colors.bg}, rgb(7 14 22) 72%)',
    },
  },
  body: {
    minHeight: '100dvh',
    textStyle: 'body',
    // Avoids a single word on the last line.
    textWrap: 'pretty',
    fontFamily: 'text',
    bg: 'bg',
    color: 'fg',
    touchAction: 'manipulation',
  },
  ':focus-visible': { outline: '3px solid var(--focus)', outlineOffset: '2px' },
  // `data-line` sets the colour of the element's line.
  '[data-line=blue]': { '--line': 'colors.line.blue' },
  '[data-line=red]': { '--line': 'colors.line.red' },
  '[data-line=green]': { '--line': 'colors.line.green' },
  // A control that needs JavaScript; a link in <noscript> replaces it.
  '[data-scripted]': { '@media (scripting: none)': { display: 'none !important' } },
  '*, ::before, ::after': {
    _motionReduce: {
      animationDuration: '0.01ms !important',
      animationIterationCount: '1 !important',
      // Any duration above zero delays every change of style by a frame.
      transition: 'none !important',
    },
  },
  // Controls are hidden in print, except names that are buttons: of figures, columns, rows and messages.
  'header nav, button:not(:is(dt, h3, th) > *, [data-printed]), th [aria-expanded], [role=search], dialog':
    { _print: { display: 'none !important' } },
  'body *': {
    _print: {
      // Not of images, which draw bars.
      backgroundColor: 'transparent !important',
      color: '#000 !important',
      animation: 'none !important',
    },
  },
  'li, figure, details': { _print: { breakInside: 'avoid' } },
  // Prints the content of closed <details>.
  '::details-content': { _print: { contentVisibility: 'visible', blockSize: 'auto' } },
});
