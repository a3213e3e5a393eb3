import { chakra } from '@chakra-ui/react';
import { site } from '../../site.config.ts';
import { mark } from './mark.ts';

function Mark() {
  return (
    <svg
      width={mark.width}
      height={mark.height}
      viewBox={`0 0 ${mark.width} ${mark.height}`}
      fill="none"
      strokeWidth="3.5"
      aria-hidden="true"
    >
      <path d={mark.line} stroke="var(--c-colors-line-blue)" strokeLinecap="round" />
      <circle {...mark.station} stroke="currentColor" />
    </svg>
  );
}

/** The name of the business, leading home. */
export function Brand() {
  return (
    <chakra.a
      href="/"
      display="inline-flex"
      alignItems="center"
      gap="2"
      minH="11"
      textStyle="h4"
      fontSize="min(1.25rem, 5vw)"
      // Where there is no room in a bar, the name takes two lines before anything else gives way.
      minW="min-content"
      flexShrink="9999"
    >
      <Mark />
      {site.brand.name}
    </chakra.a>
  );
}
