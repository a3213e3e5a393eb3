import { Flex } from '@chakra-ui/react';

/** A name and its amount; `isSum` stands below a line. */
export function MoneyRow({
  name,
  amount,
  isSum = false,
}: {
  name: string;
  amount: string;
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
      <dd>{amount}</dd>
    </Flex>
  );
}
