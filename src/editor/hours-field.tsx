import { Box, Button, Flex, Text } from '@chakra-ui/react';
import type { ReactNode } from 'react';
import { valueAt } from '../../server/contract/document-changes.ts';
import { nextSpan, rangeOf, spansOf } from '../week/spans.ts';
import { controlId, useEditor } from './context.ts';
import { FieldFrame } from './field-frame.tsx';
import { removedAt, replacedAt } from './lists.ts';
import { RemovableRow } from './removable-row.tsx';
import { TimeInput } from './time-input.tsx';
import { usePairs } from './use-pairs.ts';
import { dateInWords, hoursInWords } from './words.ts';

/** The hours of one day: ranges such as `10:00-12:30`. */
export function HoursField({ path }: { path: string }) {
  const { draft, state, isLocked, select } = useEditor();
  const value = valueAt(state.document, path);
  return (
    <FieldFrame path={path} isGrouped>
      <Ranges
        id={controlId(path)}
        ranges={Array.isArray(value) ? value.map(String) : []}
        isLocked={isLocked}
        onFocus={() => select(path)}
        onChange={(ranges) => draft.edit(path, ranges, { isWhole: true })}
      />
    </FieldFrame>
  );
}

/** Single dates with other hours: `{ '2026-12-23': ['10:00-11:30'] }`. */
export function HoursByDateField({ path }: { path: string }) {
  const { isLocked, select } = useEditor();
  const { pairs, hasTwins, put } = usePairs<string[]>(path);
  const replaced = (index: number, pair: [string, string[]]) => put(replacedAt(pairs, index, pair));
  return (
    <FieldFrame
      path={path}
      isGrouped
      mistake={hasTwins ? 'This date is in the list twice. Please choose another one.' : undefined}
    >
      {pairs.map(([date, ranges], index) => (
        // A date may change while it is typed.
        // biome-ignore lint/suspicious/noArrayIndexKey: the pairs have no other identity
        <Box key={index} py="2" borderTop="1px solid" borderColor="hairline">
          <RemovableRow
            name={dateInWords(date) || 'the date'}
            onRemove={() => put(removedAt(pairs, index))}
          >
            <TimeInput
              type="date"
              aria-label="Date"
              w="auto"
              value={date}
              readOnly={isLocked}
              onFocus={() => select(path)}
              onValue={(value) => replaced(index, [value, ranges])}
            />
          </RemovableRow>
          <Ranges
            ranges={ranges}
            isLocked={isLocked}
            onFocus={() => select(path)}
            onChange={(next) => replaced(index, [date, next])}
          />
        </Box>
      ))}
      {!isLocked && (
        <Button
          type="button"
          id={controlId(path)}
          minH="11"
          mt="2"
          onClick={() => put([...pairs, [tomorrow(pairs.map(([date]) => date)), ['10:00-12:00']]])}
        >
          Add a date
        </Button>
      )}
    </FieldFrame>
  );
}

/** The next date that the list does not have. */
function tomorrow(taken: readonly string[]): string {
  for (let days = 1; ; days++) {
    const date = new Date(Date.now() + days * 86_400_000).toISOString().slice(0, 10);
    if (!taken.includes(date)) return date;
  }
}

/** The times of one day: any number of ranges, or none. */
export function Ranges({
  id,
  ranges,
  isLocked,
  onFocus,
  onChange,
  children,
}: {
  id?: string;
  ranges: readonly string[];
  isLocked: boolean;
  onFocus: () => void;
  onChange: (ranges: string[]) => void;
  /** Other buttons beside the one that adds. */
  children?: ReactNode;
}) {
  return (
    <Box>
      {ranges.length === 0 && (
        <Text textStyle="small" color="fg.muted">
          No calls
        </Text>
      )}
      {ranges.map((range, index) => {
        const [from = '', to = ''] = range.split('-');
        const time = (value: string, label: string, next: (value: string) => string) => (
          <TimeInput
            type="time"
            aria-label={label}
            w="auto"
            value={value}
            readOnly={isLocked}
            onFocus={onFocus}
            onValue={(one) => onChange(replacedAt(ranges, index, next(one)))}
          />
        );
        return (
          <RemovableRow
            // biome-ignore lint/suspicious/noArrayIndexKey: the ranges have no other identity
            key={index}
            mb="1"
            name={hoursInWords([range])}
            onRemove={() => onChange(removedAt(ranges, index))}
          >
            {time(from, 'From', (value) => `${value}-${to}`)}
            <span>–</span>
            {time(to, 'To', (value) => `${from}-${value}`)}
          </RemovableRow>
        );
      })}
      {!isLocked && (
        <Flex wrap="wrap" columnGap="5">
          <Button
            {...(id !== undefined && { id })}
            type="button"
            variant="plain"
            minH="8"
            fontSize="0.9375rem"
            onClick={() => onChange([...ranges, rangeOf(nextSpan(spansOf(ranges)))])}
          >
            Add hours
          </Button>
          {children}
        </Flex>
      )}
    </Box>
  );
}
