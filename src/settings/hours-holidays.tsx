/** Days off, and single dates with other hours. */
import { Box, Button, chakra, Field, Flex, Text } from '@chakra-ui/react';
import { useQuery } from '@tanstack/react-query';
import { type FormEvent, type ReactNode, useRef, useState } from 'react';
import { isGroup, isWithin, valueAt } from '../../server/contract/document-changes.ts';
import { pluralize } from '../../server/contract/numbers.ts';
import { routes } from '../../server/contract/routes.ts';
import { MainButton } from '../admin/main-button.tsx';
import { trpc } from '../api/trpc.ts';
import { dateOf } from '../bookings/booking.ts';
import { useEditor } from '../editor/context.ts';
import { Ranges } from '../editor/hours-field.tsx';
import { IconButton } from '../editor/icon-button.tsx';
import { trashIcon } from '../editor/icons.tsx';
import { removedAt } from '../editor/lists.ts';
import { Attention } from '../editor/marks.tsx';
import { TimeInput } from '../editor/time-input.tsx';
import { shortSpan, spanInWords, spansOf } from '../week/spans.ts';
import { Part, useRemovals } from './hours-part.tsx';

const closedPath = 'calls.closed';
const specialPath = 'calls.special';

export function HolidaysPart() {
  const { draft, state, isLocked } = useEditor();
  const { remove } = useRemovals();
  const [form, setForm] = useState<'days off' | 'other hours'>();
  const opener = useRef<HTMLButtonElement>(null);
  const { booked, today } = useBookedDates();
  const closedValue = valueAt(state.document, closedPath);
  const closed = Array.isArray(closedValue) ? closedValue.map(String) : [];
  const specialValue = valueAt(state.document, specialPath);
  const special = isGroup(specialValue) ? specialValue : {};
  const edit = (path: string, to: unknown) => draft.edit(path, to, { isWhole: true });
  const isOfDates = ({ path }: { path: string }) => isWithin(path, [closedPath, specialPath]);
  const close = () => {
    setForm(undefined);
    requestAnimationFrame(() => opener.current?.focus());
  };
  return (
    <Part name="Holidays" title="Holidays">
      <Rows>
        {closed.map((range, i) => {
          const [first = '', last = first] = range.split('/');
          const calls = booked.filter((date) => first <= date && date <= last).length;
          const name = rangeInWords(first, last);
          const days = daysFrom(first, last);
          return (
            <Row
              // biome-ignore lint/suspicious/noArrayIndexKey: two ranges may be the same
              key={i}
              name={name}
              note={[
                days > 0 && pluralize(days, 'day'),
                calls > 0 && `${pluralize(calls, 'call')} ${calls === 1 ? 'stays' : 'stay'} booked`,
              ]
                .filter(Boolean)
                .join(', ')}
              onRemove={() =>
                remove({ part: 'Holidays', words: name }, () =>
                  edit(closedPath, removedAt(closed, i)),
                )
              }
            />
          );
        })}
        {Object.entries(special).map(([date, ranges]) => {
          const name = dayInWords(date);
          const { [date]: _, ...others } = special;
          return (
            <Row
              key={date}
              name={name}
              note={hoursInWords(ranges)}
              onRemove={() =>
                remove({ part: 'Holidays', words: name }, () => edit(specialPath, others))
              }
            />
          );
        })}
        {closed.length + Object.keys(special).length === 0 && (
          <Text as="li" color="fg.muted">
            None
          </Text>
        )}
      </Rows>
      {state.mistakes.filter(isOfDates).map(({ path, message }) => (
        <Attention key={path}>{message}</Attention>
      ))}
      {!isLocked && !form && (
        <Flex wrap="wrap" gap="3" mt="4">
          <Button type="button" minH="11" ref={opener} onClick={() => setForm('days off')}>
            Add days off
          </Button>
          <Button type="button" minH="11" onClick={() => setForm('other hours')}>
            Other hours on a day
          </Button>
        </Flex>
      )}
      {form === 'days off' && (
        <DaysOffForm
          today={today}
          onCancel={close}
          onAdd={(range) => {
            edit(closedPath, [...closed, range]);
            close();
          }}
        />
      )}
      {form === 'other hours' && (
        <OtherHoursForm
          today={today}
          taken={Object.keys(special)}
          onCancel={close}
          onAdd={(date, ranges) => {
            edit(specialPath, { ...special, [date]: ranges });
            close();
          }}
        />
      )}
    </Part>
  );
}

function Row({ name, note, onRemove }: { name: string; note: string; onRemove: () => void }) {
  const { isLocked } = useEditor();
  return (
    <li>
      <span>
        <b>{name}</b>{' '}
        <Text as="span" color="fg.muted" ms="1">
          {note}
        </Text>
      </span>
      {!isLocked && (
        <IconButton label={`Remove ${name}`} onClick={onRemove}>
          {trashIcon}
        </IconButton>
      )}
    </li>
  );
}

const Rows = chakra('ul', {
  base: {
    '& li': {
      display: 'flex',
      alignItems: 'center',
      justifyContent: 'space-between',
      minH: '49px',
      borderBottom: '1px solid {colors.hairline}',
    },
    '& b': { fontWeight: '600' },
  },
});

function DaysOffForm({
  today,
  onAdd,
  onCancel,
}: {
  today: string;
  onAdd: (range: string) => void;
  onCancel: () => void;
}) {
  const [first, setFirst] = useState(today);
  const [last, setLast] = useState(today);
  const [isTried, setIsTried] = useState(false);
  const isReversed = last < first;
  return (
    <Form
      submit="Add these days"
      mistake={isTried && isReversed ? 'Last day is before first day.' : undefined}
      onCancel={onCancel}
      onSubmit={() => {
        setIsTried(true);
        if (!isReversed) onAdd(first === last ? first : `${first}/${last}`);
      }}
    >
      <Flex wrap="wrap" gap="4">
        <DateField
          label="First day"
          value={first}
          hasFocus
          onValue={(value) => {
            // The end of what was chosen before would be before the new start.
            if (last === first) setLast(value);
            setFirst(value);
          }}
        />
        <DateField
          label="Last day"
          value={last}
          isInvalid={isTried && isReversed}
          onValue={setLast}
        />
      </Flex>
    </Form>
  );
}

function OtherHoursForm({
  today,
  taken,
  onAdd,
  onCancel,
}: {
  today: string;
  taken: readonly string[];
  onAdd: (date: string, ranges: string[]) => void;
  onCancel: () => void;
}) {
  const [date, setDate] = useState(today);
  const [ranges, setRanges] = useState(['10:00-12:00']);
  const [isTried, setIsTried] = useState(false);
  const isTaken = taken.includes(date);
  const isWrong = ranges.some((range) => spansOf([range]).length === 0);
  const mistake = isTaken
    ? 'This day has other hours already. Remove them first.'
    : isWrong
      ? 'The end of these hours is before their start.'
      : undefined;
  return (
    <Form
      submit="Add this day"
      mistake={isTried ? mistake : undefined}
      onCancel={onCancel}
      onSubmit={() => {
        setIsTried(true);
        if (mistake === undefined) onAdd(date, ranges);
      }}
    >
      <DateField
        label="Day"
        value={date}
        hasFocus
        isInvalid={isTried && isTaken}
        onValue={setDate}
      />
      <Box mt="2">
        <Ranges ranges={ranges} isLocked={false} onFocus={() => {}} onChange={setRanges} />
      </Box>
    </Form>
  );
}

function Form({
  submit,
  mistake,
  onSubmit,
  onCancel,
  children,
}: {
  submit: string;
  mistake: string | undefined;
  onSubmit: () => void;
  onCancel: () => void;
  children: ReactNode;
}) {
  return (
    <chakra.form
      noValidate
      mt="4"
      onSubmit={(event: FormEvent) => {
        event.preventDefault();
        onSubmit();
      }}
    >
      {children}
      {mistake !== undefined && (
        <Box mt="2">
          <Attention>{mistake}</Attention>
        </Box>
      )}
      <Flex gap="3" mt="4">
        <MainButton type="submit" minH="11">
          {submit}
        </MainButton>
        <Button type="button" minH="11" onClick={onCancel}>
          Cancel
        </Button>
      </Flex>
    </chakra.form>
  );
}

function DateField({
  label,
  value,
  hasFocus = false,
  isInvalid = false,
  onValue,
}: {
  label: string;
  value: string;
  hasFocus?: boolean;
  isInvalid?: boolean;
  onValue: (value: string) => void;
}) {
  return (
    <Field.Root invalid={isInvalid} w="auto">
      <Field.Label>{label}</Field.Label>
      <TimeInput type="date" w="auto" autoFocus={hasFocus} value={value} onValue={onValue} />
    </Field.Root>
  );
}

/** The local dates of all calls that are booked, one each, and today's. */
function useBookedDates(): { booked: string[]; today: string } {
  const { client } = trpc.useUtils();
  const { data } = useQuery({
    queryKey: [routes['booking.list'].path, 'upcoming', 'starts'],
    async queryFn({ signal }) {
      const starts: string[] = [];
      for (let after: string | undefined; ; ) {
        const page = await client.booking.list.query({ state: 'upcoming', after }, { signal });
        starts.push(...page.bookings.map(({ start }) => start));
        after = page.next;
        if (after === undefined) return { starts, timeZone: page.timeZone };
      }
    },
  });
  const { starts = [], timeZone = 'UTC' } = data ?? {};
  return {
    booked: starts.map((start) => dateOf(start, timeZone)),
    today: dateOf(new Date().toISOString(), timeZone),
  };
}

const dayMs = 86_400_000;

/** Both dates included; NaN of what is no date. */
const daysFrom = (first: string, last: string): number =>
  Math.round((Date.parse(last) - Date.parse(first)) / dayMs) + 1;

/** `Dec 24`, with the year unless it is within the next eleven months. */
function dayInWords(date: string): string {
  const time = Date.parse(date);
  if (Number.isNaN(time)) return date;
  const days = (time - Date.now()) / dayMs;
  const isNear = days > -2 && days < 335;
  return new Date(time).toLocaleDateString('en-US', {
    ...{ timeZone: 'UTC', month: 'short', day: 'numeric' },
    ...(!isNear && { year: 'numeric' }),
  });
}

/** `Dec 24 – Jan 1` */
const rangeInWords = (first: string, last: string): string =>
  [...new Set([first, last])].map(dayInWords).join(' – ');

/** `only 10:00–11:30 AM`, or `no calls` */
function hoursInWords(ranges: unknown): string {
  const spans = spansOf(ranges);
  const last = spans.at(-1);
  if (!last) return 'no calls';
  return `only ${[...spans.slice(0, -1).map(shortSpan), spanInWords(last)].join(', ')}`;
}
