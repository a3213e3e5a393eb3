import { chakra, type HTMLChakraProps } from '@chakra-ui/react';
import { recipes } from '../theme/recipes.ts';

/**
 * A button with `variant` primary (the booking action, one per view), outline (the default) or link.
 * `asChild` applies the styles to a link, or to a button with attributes that Chakra drops.
 */
export const Button = chakra('button', recipes.button);

/** Style props of a component that renders a `Button`. */
export type ButtonStyleProps = HTMLChakraProps<'button'> & {
  variant?: 'primary' | 'outline' | 'link';
};
