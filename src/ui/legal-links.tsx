import { Link } from '@chakra-ui/react';
import { legal } from '../../site.defaults.ts';

/** The links to the privacy page and the imprint, for the foot of a page. */
export const LegalLinks = () =>
  (['privacy', 'imprint'] as const).map((name) => (
    <Link key={name} href={`/${name}`} variant="underline" py="3">
      {legal[name]}
    </Link>
  ));
