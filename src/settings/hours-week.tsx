/** The hours of the week: drawn, or typed day by day, as on phones. */
import { Button, chakra, Flex, Text } from '@chakra-ui/react';
import { useState } from 'react';
import { isWithin, valueAt } from '../../server/contract/document-changes.ts';
import { placeOf } from '../../server/contract/times.ts';
import { ChoiceField } from '../editor/choice-field.tsx';
import { controlId, useEditor } from '../editor/context.ts';
import { Ranges } from '../editor/hours-field.tsx';
import { Attention } from '../editor/marks.tsx';
import { useSamplePaths } from '../editor/use-sample-paths.ts';
import { useMedia } from '../ui/use-media.ts';
import {
  type Day,
  dayHoursInWords,
  dayInWords,
  days,
  type Hours,
  joined,
  rangeOf,
  type Span,
  spanInWords,
  spansOf,
} from '../week/spans.ts';
import { WeekGrid, weekHasRoom } from '../week/week-grid.tsx';
import { Part, useRemovals } from './hours-part.tsx';

const path = 'calls.hours';
const zonePath = 'calls.timeZone';

export function WeekPart() {
  const { draft, state, isLocked } = useEditor();
  const { remove } = useRemovals();
  const isWide = useMedia(weekHasRoom);
  const [isTyped, setIsTyped] = useState(false);
  const isSample = useSamplePaths().some((one) => isWithin(one, [path]));
  const hours = (valueAt(state.document, path) ?? {}) as Hours;
  const put = (next: Hours) => draft.edit(path, next, { isWhole: true });
  const isOfWeek = ({ path: one }: { path: string }) => isWithin(one, [path]);
  return (
    <Part
      name="Week"
      title="Week"
      aside={
        isWide &&
        !isLocked && (
          <>
            {!isTyped && (
              <Text textStyle="small" color="fg.muted">
                Draw on a day, drag an edge, or use the keys.
              </Text>
            )}
            <Button
              type="button"
              variant="plain"
              minH="11"
              ms="auto"
              onClick={() => setIsTyped(!isTyped)}
            >
              {isTyped ? 'Draw the hours' : 'Type the hours'}
            </Button>
          </>
        )
      }
    >
      {isWide && !isTyped ? (
        <>
          <WeekGrid
            value={hours}
            isLocked={isLocked}
            onChange={(next, removed) =>
              removed === undefined
                ? put(next)
                : remove({ part: 'Week', words: removed }, () => put(next))
            }
          >
            <Zone />
          </WeekGrid>
          {state.mistakes.filter(isOfWeek).map((mistake) => (
            <Attention
              key={mistake.path}
            >{`${titleOf(mistake.path)}: ${mistake.message}`}</Attention>
          ))}
        </>
      ) : (
        <>
          {days.map((day) => (
            <TypedDay
              key={day}
              day={day}
              onCopy={(spans) =>
                put(
                  Object.fromEntries(
                    days.map((one) => [
                      one,
                      joined([...spansOf(hours[one]), ...spans]).map(rangeOf),
                    ]),
                  ),
                )
              }
            />
          ))}
          <Zone />
        </>
      )}
      {/* Below the week: it must not move under the pointer. */}
      {isSample && !isLocked && (
        <Text mt="1" fontWeight="600">
          These are the hours of the sample: change one, or visitors are offered no times.
        </Text>
      )}
    </Part>
  );
}

/** `Monday` of `calls.hours.monday`. */
const titleOf = (field: string) => dayInWords((field.split('.')[2] ?? 'monday') as Day);

function TypedDay({ day, onCopy }: { day: Day; onCopy: (spans: readonly Span[]) => void }) {
  const { draft, state, isLocked } = useEditor();
  const { remove } = useRemovals();
  const field = `${path}.${day}`;
  const value = valueAt(state.document, field);
  const ranges = Array.isArray(value) ? value.map(String) : [];
  const mistake = state.mistakes.find((one) => isWithin(one.path, [field]))?.message;
  const name = dayInWords(day);
  return (
    <Details name="day">
      <summary>
        <b>{name}</b>
        <Text as="span" color={ranges.length > 0 ? undefined : 'fg.muted'}>
          {mistake === undefined ? dayHoursInWords(ranges) : 'Look at these hours'}
        </Text>
        <svg viewBox="0 0 24 24" aria-hidden="true">
          <path d="M9 5l7 7-7 7" />
        </svg>
      </summary>
      {/* What is typed goes live when the owner leaves the day. */}
      <fieldset
        onBlur={({ currentTarget, relatedTarget }) => {
          if (!currentTarget.contains(relatedTarget)) draft.endChange();
        }}
      >
        <chakra.legend srOnly>{name}</chakra.legend>
        <Ranges
          ranges={ranges}
          isLocked={isLocked}
          onFocus={() => {}}
          onChange={(next) => {
            const removed = ranges.find((one, i) => next.length < ranges.length && one !== next[i]);
            const words = spansOf([removed]).map(spanInWords).join() || 'hours';
            if (removed === undefined) draft.edit(field, next);
            else {
              remove({ part: 'Week', words: `${name}, ${words}` }, () =>
                draft.edit(field, next, { isWhole: true }),
              );
            }
          }}
        >
          {ranges.length > 0 && (
            <Button
              type="button"
              variant="plain"
              minH="8"
              fontSize="0.9375rem"
              onClick={() => onCopy(spansOf(ranges))}
            >
              Copy to all days
            </Button>
          )}
        </Ranges>
        {mistake !== undefined && <Attention>{mistake}</Attention>}
      </fieldset>
    </Details>
  );
}

const Details = chakra('details', {
  base: {
    borderBottom: '1px solid {colors.hairline}',
    '& summary': {
      display: 'grid',
      gridTemplateColumns: '6.5rem minmax(0, 1fr) 20px',
      alignItems: 'center',
      minH: '12',
      cursor: 'pointer',
      listStyle: 'none',
      '&::-webkit-details-marker': { display: 'none' },
    },
    '& summary b': { fontWeight: '600' },
    '& svg': { boxSize: '20px', fill: 'none', stroke: 'currentColor', strokeWidth: '2.2' },
    '&[open]': { bg: 'bg.tint', mx: { base: '-5', md: '0' }, px: { base: '5', md: '4' }, pb: '3' },
    '&[open] summary span': { visibility: 'hidden' },
    '&[open] summary svg': { transform: 'rotate(90deg)' },
  },
});

/** The time zone of the hours, and the choice of another one. */
function Zone() {
  const { state, fields, isLocked } = useEditor();
  const [isOpen, setIsOpen] = useState(false);
  const field = fields.at(zonePath);
  const open = () => {
    setIsOpen(true);
    requestAnimationFrame(() => document.getElementById(controlId(zonePath))?.focus());
  };
  return (
    <>
      <Flex align="center" columnGap="2" minH="11">
        <Text>
          Times are in <b>{placeOf(String(valueAt(state.document, zonePath) ?? ''))}</b>.
        </Text>
        {!isLocked && !isOpen && (
          <Button type="button" variant="plain" minH="11" onClick={open}>
            Other zone
          </Button>
        )}
      </Flex>
      {isOpen && field && <ChoiceField path={zonePath} field={field} />}
    </>
  );
}
