/** The marks of the form, always beside words. */
import { Box, chakra, Flex } from '@chakra-ui/react';
import type { ReactNode } from 'react';

/** Stands before what differs from the live site. */
export const ChangedDot = () => (
  <Box aria-hidden boxSize="10px" borderRadius="50%" bg="line.blue" flexShrink="0" />
);

/** A mistake, and what to do about it. `isQuiet`: it changes with each key, so that it is not announced. */
export const Attention = ({
  isQuiet = false,
  children,
}: {
  isQuiet?: boolean;
  children: ReactNode;
}) => (
  <Flex gap="2" color="line.red" fontWeight="600" role={isQuiet ? undefined : 'alert'}>
    <WarningIcon />
    <Box minW="0" overflowWrap="anywhere">
      {children}
    </Box>
  </Flex>
);

const Svg = chakra('svg', { base: { flexShrink: '0' } });

export const WarningIcon = ({ size = 20 }: { size?: number }) => (
  <Svg mt="0.1em" width={size} height={size} viewBox="0 0 24 24" fill="none" aria-hidden>
    <path d="M12 3L22 21H2Z" stroke="currentColor" strokeWidth="2.2" strokeLinejoin="round" />
    <path d="M12 10v5M12 17v2" stroke="currentColor" strokeWidth="2.2" />
  </Svg>
);

export const DoneIcon = ({ size = 22 }: { size?: number }) => (
  <Svg width={size} height={size} viewBox="0 0 24 24" aria-hidden>
    <circle cx="12" cy="12" r="11" fill="var(--c-colors-line-green)" />
    <path d="M7 12.5l3.5 3.5L17 8.5" fill="none" stroke="var(--c-colors-bg)" strokeWidth="2.5" />
  </Svg>
);
