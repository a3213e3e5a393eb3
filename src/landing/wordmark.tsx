import { chakra } from '@chakra-ui/react';
import { site } from '../../site.config.ts';
import { widthOf } from '../theme/letters.ts';

/** The name across the whole footer, from edge to edge unless it is very short. */
export function Wordmark() {
  const size = `${(100 / Math.max(3.4, widthOf(site.brand.name))).toFixed(1)}cqi`;
  return (
    <chakra.p
      aria-hidden="true"
      mt="band"
      // The air before a letter grows with it: without it the name stands on the text's edge.
      ms="-0.06em"
      fontFamily="display"
      fontWeight="800"
      fontSize={size}
      lineHeight="0.8"
      letterSpacing="-0.04em"
      whiteSpace="nowrap"
    >
      {site.brand.name}
    </chakra.p>
  );
}
