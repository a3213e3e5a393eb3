import { Flex } from '@chakra-ui/react';

/** A name and its figure; `isSum` stands below a line. */
export function FigureRow({
  name,
  figure,
  isSum = false,
}: {
  name: string;
  figure: string;
  isSum?: boolean;
}) {
  return (
    <Flex
      justify="space-between"
      columnGap="6"
      py="2.5"
      borderTop={isSum ? '2px solid {colors.fg}' : undefined}
      borderBottom="1px solid {colors.hairline}"
      fontVariantNumeric="tabular-nums"
      fontWeight={isSum ? '700' : undefined}
    >
      <dt>{name}</dt>
      <dd>{figure}</dd>
    </Flex>
  );
}
