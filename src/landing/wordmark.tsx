import { chakra } from '@chakra-ui/react';
import { site } from '../../site.config.ts';
import { widthOf } from '../theme/letters.ts';

/** The business's name across the full width of the footer, unless it is very short. */
export function Wordmark() {
  const size = `${(100 / Math.max(3.4, widthOf(site.brand.name))).toFixed(1)}cqi`;
  return (
    <chakra.p
      aria-hidden="true"
      mt="band"
      // A glyph's side bearing grows with its size: without this margin the name would look indented.
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
