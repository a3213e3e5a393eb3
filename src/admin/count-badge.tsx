import { Badge, VisuallyHidden } from '@chakra-ui/react';
import { formatNumber } from '../../server/contract/numbers.ts';

/** A number beside a panel's title; `–` while it is not known. */
export const CountBadge = ({ n }: { n: number | undefined }) => (
  <Badge flexShrink="0" minW="8" px="2.5" fontWeight="700" textAlign="center">
    <span>{n === undefined ? '–' : formatNumber(n)}</span>
    <VisuallyHidden> in this period</VisuallyHidden>
  </Badge>
);
