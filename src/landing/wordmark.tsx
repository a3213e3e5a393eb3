import { chakra } from '@chakra-ui/react';
import { site } from '../../site.config.ts';

/** The name across the whole footer, as large as its length allows. */
export function Wordmark() {
  const letters = Math.max(6, site.brand.name.length);
  const size = `min(${(162 / letters).toFixed(1)}vw, ${(128 / letters).toFixed(1)}rem)`;
  return (
    <chakra.p
      aria-hidden="true"
      mt="block"
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
