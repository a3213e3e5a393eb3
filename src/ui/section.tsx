import { chakra, type HTMLChakraProps } from '@chakra-ui/react';
import { section } from '../theme/section-recipe.ts';
import { WholeWords } from './whole-words.tsx';

/**
 * A full-width section of the page; `tone` is default, tint, inverted or primary. Its text stays
 * within the page's width; elements that reach the window's edge are positioned absolutely.
 */
export const Section = chakra('section', section);

/** The heading of a section. */
export function Title({ children, ...styleProps }: HTMLChakraProps<'h2'> & { children: string }) {
  return (
    <chakra.h2 textStyle="h2" maxW="15em" mb="block" {...styleProps}>
      <WholeWords>{children}</WholeWords>
    </chakra.h2>
  );
}

/** A subheading in a section. */
export const Subtitle = chakra('h3', { base: { textStyle: 'h3', mb: '2' } });

/** The lead paragraph of a section. */
export const Lead = chakra('p', {
  base: { textStyle: 'lead', color: 'fg.soft', maxW: '34em', mb: '7' },
});

/** Two columns on wide screens, stacked on narrow ones. */
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
