import { Box, Flex, Text, useSlotRecipe } from '@chakra-ui/react';
import { shortDate, weekday } from './dates.ts';
import { type Measure, measures, useFigures } from './measures.ts';
import type { Day } from './use-insights.ts';

/** The chart's tooltip: all figures of one day. */
export function DayTip({ day, chosen }: { day: Day; chosen: Measure['key'] }) {
  const text = useFigures();
  const { content } = useSlotRecipe({ key: 'tooltip' })();
  return (
    <Box css={content} minW="11rem">
      <Text fontWeight="700">
        {weekday(day.date)}, {shortDate(day.date)}
      </Text>
      {!day.isWhole && <Text>Partial day</Text>}
      <Box as="dl" mt="1">
        {measures.map((measure) => (
          <Flex
            key={measure.key}
            justify="space-between"
            columnGap="4"
            fontWeight={measure.key === chosen ? '700' : undefined}
          >
            <dt>{measure.name}</dt>
            <dd>{text(measure, day[measure.key])}</dd>
          </Flex>
        ))}
      </Box>
    </Box>
  );
}
