import { chakra } from '@chakra-ui/react';

/** A track from the window's edge that ends at a buffer. */
export function EndOfLine() {
  return (
    <chakra.svg
      width="220"
      height="60"
      mb="8"
      overflow="visible"
      fill="none"
      strokeWidth="6"
      aria-hidden="true"
    >
      <path d="M-2000 30H120" stroke="var(--c-colors-line-blue)" />
      <path d="M123 6v48" stroke="currentColor" />
      <path d="M144 30H202" stroke="var(--c-colors-hairline)" strokeDasharray="10 14" />
    </chakra.svg>
  );
}
