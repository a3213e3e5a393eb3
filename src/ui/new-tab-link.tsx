import { chakra } from '@chakra-ui/react';
import type { ComponentProps } from 'react';
import { site } from '../../site.config.ts';
import { OutIcon } from './icons.tsx';
import { newTab } from './links.ts';

/** A link that opens in a new tab, with an icon and a screen reader text that say so. */
export function NewTabLink({ children, ...rest }: ComponentProps<typeof chakra.a>) {
  return (
    <chakra.a {...rest} {...newTab}>
      {children}
      <OutIcon />
      <chakra.span srOnly>{site.labels.newTab}</chakra.span>
    </chakra.a>
  );
}
