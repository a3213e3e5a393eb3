import { Box, Flex, Text } from '@chakra-ui/react';
import { Bubble } from '../ui/tooltip.tsx';

/** A chart's tooltip: a time, and named figures of it. */
export function FigureTip({
  title,
  figures,
}: {
  title: string;
  figures: (readonly [string, string])[];
}) {
  return (
    <Bubble minW="11rem">
      <Text fontWeight="700">{title}</Text>
      <Box as="dl" mt="1">
        {figures.map(([name, figure]) => (
          <Flex key={name} justify="space-between" columnGap="4" fontVariantNumeric="tabular-nums">
            <dt>{name}</dt>
            <dd>{figure}</dd>
          </Flex>
        ))}
      </Box>
    </Bubble>
  );
}
