/** What holds for a whole page rather than for one element: scrolling, focus, motion, print. */
import { defineGlobalStyles } from '@chakra-ui/react';

export const pageCss = defineGlobalStyles({
  html: {
    scrollPaddingTop: '80px',
    scrollbarGutter: 'stable',
    '--focus': 'colors.fg',
    _motionSafe: { scrollBehavior: 'smooth' },
  },
  body: {
    minHeight: '100dvh',
    textStyle: 'body',
    // No word alone on its line.
    textWrap: 'pretty',
    fontFamily: 'text',
    bg: 'bg',
    color: 'fg',
    touchAction: 'manipulation',
  },
  ':focus-visible': { outline: '3px solid var(--focus)', outlineOffset: '2px' },
  // Whatever names its line is drawn in that line's colour.
  '[data-line=blue]': { '--line': 'colors.line.blue' },
  '[data-line=red]': { '--line': 'colors.line.red' },
  '[data-line=green]': { '--line': 'colors.line.green' },
  // Needs a script to be of use; a link in <noscript> stands beside it.
  '[data-scripted]': { '@media (scripting: none)': { display: 'none !important' } },
  '*, ::before, ::after': {
    _motionReduce: {
      animationDuration: '0.01ms !important',
      animationIterationCount: '1 !important',
      // Any duration above zero delays every change of style by a frame.
      transition: 'none !important',
    },
  },
  // A figure that is a button is a figure on paper.
  'header nav, button:not(dd > *), dialog': { _print: { display: 'none !important' } },
  'body *': {
    _print: {
      bg: 'transparent !important',
      color: '#000 !important',
      animation: 'none !important',
    },
  },
  'li, figure, details': { _print: { breakInside: 'avoid' } },
  // Paper cannot be opened.
  '::details-content': { _print: { contentVisibility: 'visible', blockSize: 'auto' } },
});
