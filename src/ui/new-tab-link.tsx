import { Link, type LinkProps, VisuallyHidden } from '@chakra-ui/react';
import { OutIcon } from './icons.tsx';
import { words } from './site-words.ts';

/** A link that opens in a new tab, with an icon and a screen reader text that say so. */
export function NewTabLink({ children, ...rest }: LinkProps) {
  return (
    <Link {...rest} target="_blank" rel="noopener">
      {children}
      <OutIcon />
      <VisuallyHidden>{words.labels.newTab}</VisuallyHidden>
    </Link>
  );
}
