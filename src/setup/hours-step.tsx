import { Box, Button, chakra, Grid, Input, Text } from '@chakra-ui/react';
import { useEffect, useState } from 'react';
import { isEqual, isWithin, valueAt } from '../../server/contract/document-changes.ts';
import { placeOf } from '../../server/contract/times.ts';
import { ChoiceField } from '../editor/choice-field.tsx';
import { controlId, useEditor } from '../editor/context.ts';
import { FieldFrame } from '../editor/field-frame.tsx';
import { Ranges } from '../editor/hours-field.tsx';
import { Attention } from '../editor/marks.tsx';
import { useSamplePaths } from './use-sample-paths.ts';

const zonePath = 'calls.timeZone';
/** Both calls are at one place here; the editor can tell them apart. */
const placePaths = ['calls.strategyCall.place', 'calls.inboxReview.place'] as const;

const days = ['monday', 'tuesday', 'wednesday', 'thursday', 'friday', 'saturday', 'sunday'];

export const hoursPaths: readonly string[] = [zonePath, 'calls.hours', ...placePaths];

/** The fields of this step whose names are others in the editor. */
export const hoursLabels = { [zonePath]: 'Your time zone', [placePaths[0]]: 'Your video link' };

/** The place of a call whose link the owner sends, as the sample has it. */
const linkByEmail = 'Video call. I email you the link.';

const isLink = (place: string) => /^https?:\/\/\S/i.test(place.trim());

/** The hours of calls, and where they are. */
export function HoursStep() {
  const { draft, state, fields } = useEditor();
  const zone = fields.at(zonePath);
  const isSample = useSamplePaths().some((path) => isWithin(path, ['calls']));
  const isUnchanged = isEqual(valueAt(state.live, 'calls'), valueAt(state.document, 'calls'));
  // The owner's own zone, until another one is chosen. It is live with the hours, which visitors must not get before.
  useEffect(() => {
    const { timeZone } = Intl.DateTimeFormat().resolvedOptions();
    const { live, document } = draft.state();
    const isChosen = valueAt(live, zonePath) !== valueAt(document, zonePath);
    if (isSample && !isChosen) draft.edit(zonePath, timeZone, { isWhole: true });
    return () => {
      const { live, document } = draft.state();
      // A zone alone, published later, would offer the hours of the sample.
      if (isEqual(valueAt(live, 'calls.hours'), valueAt(document, 'calls.hours'))) {
        draft.edit(zonePath, valueAt(live, zonePath), { isWhole: true });
      }
    };
  }, [draft, isSample]);
  const [isZoneOpen, setIsZoneOpen] = useState(false);
  return (
    <>
      <Text mt="1" color="fg.muted">
        <span>{`Times are in ${placeOf(String(valueAt(state.document, zonePath)))}.`}</span>{' '}
        {!isZoneOpen && (
          <Button
            type="button"
            variant="plain"
            minH="8"
            color="fg"
            onClick={() => setIsZoneOpen(true)}
          >
            Not my city
          </Button>
        )}
      </Text>
      {isZoneOpen && zone && <ChoiceField path={zonePath} field={zone} />}
      {isSample && isUnchanged && (
        <Text mt="1" fontWeight="600">
          These are the hours of the sample: change one, or visitors are offered no times.
        </Text>
      )}
      <Box mt="3" borderBottom="1px solid" borderColor="hairline">
        {days.map((day) => (
          <Day key={day} path={`calls.hours.${day}`} />
        ))}
      </Box>
      <Place />
    </>
  );
}

function Day({ path }: { path: string }) {
  const { draft, state, fields, isLocked } = useEditor();
  const value = valueAt(state.document, path);
  const mistake = state.mistakes.find((one) => isWithin(one.path, [path]))?.message;
  return (
    <Grid
      asChild
      templateColumns={{ base: 'minmax(0, 1fr)', md: '9rem minmax(0, 1fr)' }}
      alignItems="start"
      py="2"
      borderTop="1px solid"
      borderColor="hairline"
    >
      <fieldset data-path={path} data-invalid={mistake !== undefined} tabIndex={-1}>
        <chakra.legend float="left" fontWeight="600" lineHeight="2rem">
          {fields.at(path)?.label}
        </chakra.legend>
        <div>
          <Ranges
            id={controlId(path)}
            ranges={Array.isArray(value) ? value.map(String) : []}
            isLocked={isLocked}
            onFocus={() => {}}
            onChange={(ranges) => draft.edit(path, ranges, { isWhole: true })}
          />
          {mistake !== undefined && <Attention>{mistake}</Attention>}
        </div>
      </fieldset>
    </Grid>
  );
}

/** A fixed link is in each booked visitor's email and calendar, so that the owner need not send it. */
function Place() {
  const { draft, state } = useEditor();
  const [path] = placePaths;
  const place = String(valueAt(state.document, path) ?? '');
  const [link, setLink] = useState(isLink(place) ? place : '');
  const [isFixed, setIsFixed] = useState(isLink(place));
  const put = (to: string) => {
    for (const one of placePaths) draft.edit(one, to);
  };
  const choice = (label: string, isChosen: boolean, choose: () => void) => (
    <Choice>
      <input type="radio" name="place" checked={isChosen} onChange={choose} />
      {label}
    </Choice>
  );
  return (
    <Grid templateColumns={{ base: 'minmax(0, 1fr)', md: '14.5rem minmax(0, 1fr)' }} mt="5">
      <Box asChild minW="0">
        <fieldset>
          <chakra.legend fontWeight="600">Where?</chakra.legend>
          {choice('My video link', isFixed, () => {
            setIsFixed(true);
            if (isLink(link)) put(link);
          })}
          {choice('I send a link each time', !isFixed && place === linkByEmail, () => {
            setIsFixed(false);
            put(linkByEmail);
          })}
        </fieldset>
      </Box>
      {isFixed && (
        <FieldFrame path={path} note={<Text>Each booked visitor gets it by email.</Text>}>
          <Input
            type="url"
            required
            data-mistake="Paste your video link, with https:// at its start, or choose “I send a link each time”."
            value={link}
            placeholder="https://meet.example.com/your-name"
            onBlur={() => draft.endChange()}
            onChange={({ target }) => {
              setLink(target.value);
              put(isLink(target.value) ? target.value.trim() : linkByEmail);
            }}
          />
        </FieldFrame>
      )}
    </Grid>
  );
}

const Choice = chakra('label', {
  base: {
    display: 'flex',
    alignItems: 'center',
    gap: '3',
    minH: '11',
    cursor: 'pointer',
    '& input': { boxSize: '22px', m: '0', accentColor: '{colors.fg}', flexShrink: '0' },
  },
});
