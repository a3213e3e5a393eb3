/**
 * A CSS reset that replaces Chakra's preflight at a quarter of its size, since every page includes it.
 */
export const reset = {
  '*, ::before, ::after, ::backdrop': {
    boxSizing: 'border-box',
    margin: '0',
    padding: '0',
    border: '0 solid',
    font: 'inherit',
    overflowWrap: 'break-word',
    // A long word wraps instead of widening its column.
    minWidth: '0',
  },
  html: {
    WebkitFontSmoothing: 'antialiased',
    WebkitTextSizeAdjust: '100%',
    textSizeAdjust: '100%',
  },
  'ul, ol': { listStyle: 'none' },
  a: { color: 'inherit', textDecoration: 'inherit' },
  'b, strong': { fontWeight: '700' },
  'button, input, select, textarea': { color: 'inherit', background: 'none' },
  textarea: { resize: 'vertical' },
  table: { borderCollapse: 'collapse' },
  'img, svg, iframe': { display: 'block', maxWidth: '100%' },
  '[hidden]:not([hidden=until-found])': { display: 'none !important' },
} as const;
