import { chakra } from '@chakra-ui/react';

/** The three lines side by side: in from the window's edge, down at the text's end, and out below. */
export function Tracks() {
  return <Bend aria-hidden="true" />;
}

/** One shadow within the other: each line, then the ground between it and the next. */
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
