import { chakra } from '@chakra-ui/react';
import type { ReactNode } from 'react';

/** A titled list of links in the footer, drawn as a line of the map. */
export function FooterLine({ title, children }: { title: string; children: ReactNode }) {
  return (
    <div>
      <chakra.h2 textStyle="h4" mb="2">
        {title}
      </chakra.h2>
      <ul>{children}</ul>
    </div>
  );
}

/** An item of a `FooterLine`, in the colour of its `data-line`, if it has one. */
export const Stop = chakra('li', {
  base: {
    position: 'relative',
    ps: '8',
    _before: {
      content: '""',
      position: 'absolute',
      insetStart: '6px',
      insetY: '0',
      borderInlineStart: '5px solid var(--line, currentColor)',
    },
    _after: {
      content: '""',
      position: 'absolute',
      insetStart: '0',
      top: '15px',
      boxSize: '17px',
      borderRadius: '50%',
      bg: 'bg.ink',
      border: '4px solid {colors.fg.onInk}',
    },
    '& a, & button': {
      display: 'inline-flex',
      alignItems: 'center',
      gap: '2',
      minH: '12',
      py: '2.5',
      cursor: 'pointer',
      textAlign: 'start',
      _hover: { textDecoration: 'underline', textDecorationThickness: '3px' },
    },
  },
});
