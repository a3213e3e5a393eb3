import { Box, chakra, Grid, Input, Text } from '@chakra-ui/react';
import { type ReactNode, useState } from 'react';
import { valueAt } from '../../server/contract/document-changes.ts';
import { useEditor } from './context.ts';
import { FieldFrame } from './field-frame.tsx';

/** The place of a call whose link the owner sends, as the sample has it. */
const linkByEmail = 'Video call. I email you the link.';

const isLink = (place: string) => /^https?:\/\/\S/i.test(place.trim());

/** Emails and pages take a place for a link only when it has no spaces. */
const withoutSpaces = (link: string) => link.trim().replaceAll(' ', '%20');

/** Where a call is: at a fixed link, which is in each booked visitor's email and calendar, or at one that the owner sends. */
export function PlaceField({
  paths,
  eachTime,
  below,
  isWhole = false,
  isStacked = false,
}: {
  /** The place of one call, or of several that are at one place. */
  paths: readonly [string, ...string[]];
  /** The name of the choice without a fixed link. */
  eachTime: string;
  /** What stands below a link. */
  below?: (link: string) => ReactNode;
  /** Whether the place changes only when a link is typed to its end, since visitors see it at once. */
  isWhole?: boolean;
  isStacked?: boolean;
}) {
  const { draft, state, isLocked } = useEditor();
  const [path] = paths;
  const place = String(valueAt(state.document, path) ?? '');
  /** What is typed, until it is the place. */
  const [typed, setTyped] = useState<string>();
  /** Whether the owner has chosen a fixed link, which may not be typed yet. */
  const [isAwaited, setIsAwaited] = useState(false);
  const link = typed ?? (isLink(place) ? place : '');
  const isFixed = isAwaited || isLink(place);
  const put = (to: string) => {
    for (const one of paths) draft.edit(one, to, { isWhole });
  };
  const choose = (next: 'link' | 'each time') => {
    setIsAwaited(next === 'link');
    setTyped(link);
    if (next === 'each time') put(linkByEmail);
    else if (isLink(link)) put(withoutSpaces(link));
  };
  const mistake = `Paste your video link, with https:// at its start, or choose “${eachTime}”.`;
  const [isLeft, setIsLeft] = useState(false);
  const end = () => {
    if (isWhole && isLink(link)) {
      put(withoutSpaces(link));
      setTyped(undefined);
      setIsAwaited(false);
    }
    setIsLeft(true);
    draft.endChange();
  };
  const radio = (label: string, isChosen: boolean, name: 'link' | 'each time') => (
    <Choice>
      <input
        type="radio"
        name={`place-${path}`}
        checked={isChosen}
        disabled={isLocked}
        onChange={() => choose(name)}
      />
      {label}
    </Choice>
  );
  return (
    <Grid
      templateColumns={{
        base: 'minmax(0, 1fr)',
        md: isStacked ? undefined : '14.5rem minmax(0, 1fr)',
      }}
    >
      <Box asChild minW="0">
        <fieldset>
          <chakra.legend fontWeight="600">Where?</chakra.legend>
          <Box display={isStacked ? 'flex' : undefined} flexWrap="wrap" columnGap="6">
            {radio('My video link', isFixed, 'link')}
            {radio(eachTime, !isFixed && place === linkByEmail, 'each time')}
          </Box>
        </fieldset>
      </Box>
      {isFixed && (
        <FieldFrame
          path={path}
          mistake={isWhole && isLeft && !isLink(link) ? mistake : undefined}
          note={<Text>Each booked visitor gets it by email.</Text>}
        >
          <Input
            type="url"
            required
            data-mistake={mistake}
            value={link}
            readOnly={isLocked}
            placeholder="https://meet.example.com/your-name"
            onBlur={end}
            onKeyDown={({ key }) => key === 'Enter' && end()}
            onChange={({ target }) => {
              setTyped(target.value);
              setIsAwaited(true);
              setIsLeft(false);
              if (!isWhole) put(isLink(target.value) ? withoutSpaces(target.value) : linkByEmail);
            }}
          />
          {isLink(place) && below?.(place)}
        </FieldFrame>
      )}
      {!isFixed && place !== linkByEmail && (
        <Text mt="1" overflowWrap="anywhere">{`Visitors read: “${place}”`}</Text>
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
