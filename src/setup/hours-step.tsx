import { Box, Button, chakra, Flex, Grid, Text } from '@chakra-ui/react';
import { useEffect, useState } from 'react';
import { isEqual, isWithin, valueAt } from '../../server/contract/document-changes.ts';
import { placeOf } from '../../server/contract/times.ts';
import { ChoiceField } from '../editor/choice-field.tsx';
import { controlId, useEditor } from '../editor/context.ts';
import type { Draft } from '../editor/draft.ts';
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

/**
 * The time zone of the hours: that of this browser in place of the sample's, until another one is chosen. `accept` puts
 * it into the draft, not before the owner changes or publishes the hours: alone, it would offer those of the sample.
 */
export function useHoursZone(draft: Draft): { zone: string; accept: () => void } {
  const { live, document } = draft.state();
  const isSample = useSamplePaths().some((path) => isWithin(path, ['calls']));
  const drafted = String(valueAt(document, zonePath));
  const isChosen = !isSample || valueAt(live, zonePath) !== drafted;
  const zone = isChosen ? drafted : Intl.DateTimeFormat().resolvedOptions().timeZone;
  return { zone, accept: () => draft.edit(zonePath, zone, { isWhole: true }) };
}

/** The hours of calls, and where they are. */
export function HoursStep() {
  const { draft, state, fields } = useEditor();
  const zoneField = fields.at(zonePath);
  const { zone, accept } = useHoursZone(draft);
  const isSample = useSamplePaths().some((path) => isWithin(path, ['calls']));
  const isUnchanged = isEqual(valueAt(state.live, 'calls'), valueAt(state.document, 'calls'));
  // Takes a zone back that this step has put into the draft without hours, but none that was there before.
  useEffect(() => {
    const isLive = (path: string) => {
      const { live, document } = draft.state();
      return isEqual(valueAt(live, path), valueAt(document, path));
    };
    if (!isLive(zonePath)) return undefined;
    return () => {
      if (!isLive(hoursPath)) return;
      draft.edit(zonePath, valueAt(draft.state().live, zonePath), { isWhole: true });
    };
  }, [draft]);
  const isWide = useMedia(weekHasRoom);
  const [isTyped, setIsTyped] = useState(false);
  const [isZoneOpen, setIsZoneOpen] = useState(false);
  return (
    <>
      <Text mt="1" color="fg.muted">
        <span>{`Times are in ${placeOf(zone)}.`}</span>{' '}
        {!isZoneOpen && (
          <Button
            type="button"
            variant="plain"
            minH="8"
            color="fg"
            onClick={() => {
              accept();
              setIsZoneOpen(true);
            }}
          >
            Not my city
          </Button>
        )}
      </Text>
      {isZoneOpen && zoneField && <ChoiceField path={zonePath} field={zoneField} />}
      {isSample && isUnchanged && zone === valueAt(state.document, zonePath) && (
        <Text mt="1" fontWeight="600">
          These are the hours of the sample: change one, or visitors are offered no times.
        </Text>
      )}
      {isWide && (
        <Flex wrap="wrap" align="center" justify="space-between" minH="11">
          <Text color="fg.muted">
            {isTyped ? '' : 'Draw on a day, drag an edge, or use the keys.'}
          </Text>
          <Button type="button" variant="plain" minH="11" onClick={() => setIsTyped(!isTyped)}>
            {isTyped ? 'Draw the hours' : 'Type the hours'}
          </Button>
        </Flex>
      )}
      {isWide && !isTyped ? (
        <WeekGrid
          value={valueAt(state.document, hoursPath) as Hours}
          onChange={(hours) => {
            draft.edit(hoursPath, hours, { isWhole: true });
            accept();
          }}
        />
      ) : (
        <Box mt="3" borderBottom="1px solid" borderColor="hairline">
          {days.map((day) => (
            <Day key={day} path={`${hoursPath}.${day}`} onChange={accept} />
          ))}
        </Box>
      )}
      <Box mt="5">
        <PlaceField paths={placePaths} eachTime="I send a link each time" />
      </Box>
    </>
  );
}

function Day({ path, onChange }: { path: string; onChange: () => void }) {
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
            onChange={(ranges) => {
              onChange();
              draft.edit(path, ranges, { isWhole: true });
            }}
          />
          {mistake !== undefined && <Attention>{mistake}</Attention>}
        </div>
      </fieldset>
    </Grid>
  );
}
