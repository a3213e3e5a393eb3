import { chakra } from '@chakra-ui/react';
import type { ComponentProps } from 'react';

/** A button that shows an icon alone. */
export const IconButton = ({
  label,
  ...props
}: { label: string } & ComponentProps<typeof chakra.button>) => (
  <chakra.button
    type="button"
    aria-label={label}
    display="grid"
    placeItems="center"
    boxSize="11"
    flexShrink="0"
    borderRadius="button"
    cursor="pointer"
    _hover={{ bg: 'bg.tint' }}
    _disabled={{ opacity: 0.4, cursor: 'not-allowed' }}
    {...props}
  />
);
