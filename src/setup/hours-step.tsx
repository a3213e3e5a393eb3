import { Box, Button, chakra, Flex, Grid, Text } from '@chakra-ui/react';
import { useEffect, useState } from 'react';
import { isEqual, isWithin, valueAt } from '../../server/contract/document-changes.ts';
import { placeOf } from '../../server/contract/times.ts';
import { ChoiceField } from '../editor/choice-field.tsx';
import { controlId, useEditor } from '../editor/context.ts';
import { Ranges } from '../editor/hours-field.tsx';
import { Attention } from '../editor/marks.tsx';
import { PlaceField } from '../editor/place-field.tsx';
import { useSamplePaths } from '../editor/use-sample-paths.ts';
import { useMedia } from '../ui/use-media.ts';
import { days, type Hours } from '../week/spans.ts';
import { WeekGrid, weekHasRoom } from '../week/week-grid.tsx';

const zonePath = 'calls.timeZone';
const hoursPath = 'calls.hours';
/** Both calls are at one place here; the editor can tell them apart. */
const placePaths = ['calls.strategyCall.place', 'calls.inboxReview.place'] as const;

export const hoursPaths: readonly string[] = [zonePath, hoursPath, ...placePaths];

/** The fields of this step whose names are others in the editor. */
export const hoursLabels = { [zonePath]: 'Your time zone', [placePaths[0]]: 'Your video link' };

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
      if (isEqual(valueAt(live, hoursPath), valueAt(document, hoursPath))) {
        draft.edit(zonePath, valueAt(live, zonePath), { isWhole: true });
      }
    };
  }, [draft, isSample]);
  const isWide = useMedia(weekHasRoom);
  const [isTyped, setIsTyped] = useState(false);
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
      {isWide && (
        <Flex wrap="wrap" align="center" justify="space-between" minH="11">
          <Text color="fg.muted">Draw on a day, drag an edge, or use the keys.</Text>
          <Button type="button" variant="plain" minH="11" onClick={() => setIsTyped(!isTyped)}>
            {isTyped ? 'Draw the hours' : 'Type the hours'}
          </Button>
        </Flex>
      )}
      {isWide && !isTyped ? (
        <WeekGrid
          value={valueAt(state.document, hoursPath) as Hours}
          onChange={(hours) => draft.edit(hoursPath, hours, { isWhole: true })}
        />
      ) : (
        <Box mt="3" borderBottom="1px solid" borderColor="hairline">
          {days.map((day) => (
            <Day key={day} path={`${hoursPath}.${day}`} />
          ))}
        </Box>
      )}
      <Box mt="5">
        <PlaceField paths={placePaths} eachTime="I send a link each time" />
      </Box>
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
