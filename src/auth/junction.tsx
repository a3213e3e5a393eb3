import { chakra } from '@chakra-ui/react';

/** Three lines that run into one station: where the numbers come together. */
export function Junction() {
  return (
    <chakra.svg
      viewBox="0 0 416 64"
      w="full"
      h="auto"
      fill="none"
      strokeWidth="5"
      aria-hidden="true"
      overflow="visible"
    >
      <chakra.path stroke="line.blue" d="M0 6h196c36 0 48 18 84 18h106" />
      <chakra.path stroke="line.green" d="M0 58h196c36 0 48-18 84-18h106" />
      <chakra.path stroke="line.red" d="M0 32h386" />
      <chakra.circle cx="396" cy="32" r="16" fill="bg" stroke="fg" />
    </chakra.svg>
  );
}
