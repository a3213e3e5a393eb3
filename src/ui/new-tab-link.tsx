import { Link, type LinkProps, VisuallyHidden } from '@chakra-ui/react';
import { site } from '../../site.config.ts';
import { OutIcon } from './icons.tsx';

/** A link that opens in a new tab, with an icon and a screen reader text that say so. */
export function NewTabLink({ children, ...rest }: LinkProps) {
  return (
    <Link {...rest} target="_blank" rel="noopener">
      {children}
      <OutIcon />
      <VisuallyHidden>{site.labels.newTab}</VisuallyHidden>
    </Link>
  );
}
