import { chakra } from '@chakra-ui/react';
import { site } from '../../site.config.ts';

/** The mark: a line that makes one loop, then runs straight to its station. */
function Mark() {
  return (
    <svg
      width="38"
      height="28"
      viewBox="0 0 38 28"
      fill="none"
      strokeWidth="3.5"
      aria-hidden="true"
    >
      <path
        d="M2 24c10 0 18-6 17-14-1-8-12-8-12 0 0 7 7 11 14 11h6"
        stroke="var(--c-colors-line-blue)"
        strokeLinecap="round"
      />
      <circle cx="31" cy="21" r="4.5" stroke="currentColor" />
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
      css={{ '& svg': { '@media (max-width: 25em)': { display: 'none' } } }}
    >
      <Mark />
      {site.brand.name}
    </chakra.a>
  );
}
