import { Box, Flex, Text, useSlotRecipe } from '@chakra-ui/react';
import { dayAndMonth } from './dates.ts';
import { type Measure, useFigures } from './measures.ts';
import type { Day } from './use-insights.ts';

/** The chart's tooltip: a figure of one day, and of the same day of the previous period. */
export function DayTip({
  day,
  before,
  measure,
  length,
}: {
  day: Day;
  before: Day | undefined;
  measure: Measure;
  /** Length of the period, in days. */
  length: number | undefined;
}) {
  const text = useFigures();
  const { content } = useSlotRecipe({ key: 'tooltip' })();
  return (
    <Box css={content} minW="11rem">
      <Text fontWeight="700">
        {dayAndMonth(day.date)}
        {!day.isWhole && ' (part of the day)'}
      </Text>
      <Box as="dl" mt="1">
        <Line name={measure.name} figure={text(measure, day[measure.key])} />
        {before && (
          <Line name={`${length} days before`} figure={text(measure, before[measure.key])} />
        )}
      </Box>
    </Box>
  );
}

const Line = ({ name, figure }: { name: string; figure: string }) => (
  <Flex justify="space-between" columnGap="4" fontVariantNumeric="tabular-nums">
    <dt>{name}</dt>
    <dd>{figure}</dd>
  </Flex>
);
