import { chakra } from '@chakra-ui/react';

/** Three parallel lines from the window's left edge that turn down at the end of the text. */
export function Tracks() {
  return <Bend aria-hidden="true" />;
}

/** Nested inset shadows: each line, then the background between it and the next. */
const Bend = chakra('div', {
  base: {
    position: 'absolute',
    inset: '0',
    right: 'gutter',
    borderTopRightRadius: '40px',
    boxShadow:
      'inset -4px 4px {colors.line.blue}, inset -9px 9px {colors.bg}, inset -13px 13px {colors.line.red}, inset -18px 18px {colors.bg}, inset -22px 22px {colors.line.green}',
  },
});
