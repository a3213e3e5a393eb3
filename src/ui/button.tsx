import { chakra, type HTMLChakraProps } from '@chakra-ui/react';
import { recipes } from '../theme/recipes.ts';

/**
 * A button of ours: `variant` sign (the booking action, and only one in sight), outline, or link.
 * `asChild` lends the look to a link, or to a button with attributes Chakra does not know.
 */
export const Button = chakra('button', recipes.button);

/** What a component that passes its look on to a `Button` takes. */
export type ButtonLook = HTMLChakraProps<'button'> & { variant?: 'sign' | 'outline' | 'link' };
