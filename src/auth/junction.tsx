import { chakra } from '@chakra-ui/react';

/** Decoration: three lines that join in one circle. */
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
      <chakra.path stroke="line.blue" d="M-2000 6h2196c36 0 48 18 84 18h106" />
      <chakra.path stroke="line.green" d="M-2000 58h2196c36 0 48-18 84-18h106" />
      <chakra.path stroke="line.red" d="M-2000 32h2386" />
      <chakra.circle cx="396" cy="32" r="16" fill="bg" stroke="fg" />
    </chakra.svg>
  );
}
