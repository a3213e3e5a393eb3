import { chakra, type HTMLChakraProps } from '@chakra-ui/react';
import { section } from '../theme/section-recipe.ts';
import { WholeWords } from './whole-words.tsx';

/**
 * A band of the page, as wide as the window. `tone`: paper, tint, ink or sign. Its text keeps to the
 * page's measure; what shall reach the window's edge is positioned absolutely.
 */
export const Section = chakra('section', section);

/** The heading of a section. */
export function Title({ children, ...look }: HTMLChakraProps<'h2'> & { children: string }) {
  return (
    <chakra.h2 textStyle="h2" maxW="15em" mb="block" {...look}>
      <WholeWords>{children}</WholeWords>
    </chakra.h2>
  );
}

/** The heading of a part of a section. */
export const Subtitle = chakra('h3', { base: { textStyle: 'h3', mb: '2' } });

/** The paragraph that leads into a section. */
export const Lead = chakra('p', {
  base: { textStyle: 'lead', color: 'fg.soft', maxW: '34em', mb: '7' },
});

/** Two columns on wide screens, one below the other on narrow ones. */
export const Columns = chakra('div', {
  base: {
    display: 'grid',
    gridTemplateColumns: { lg: '7fr 5fr' },
    columnGap: '16',
    rowGap: 'block',
    alignItems: 'start',
  },
  variants: {
    split: {
      wide: {},
      even: { gridTemplateColumns: { lg: '1fr 1fr' } },
      narrow: { gridTemplateColumns: { lg: '4fr 8fr' } },
    },
  },
});
