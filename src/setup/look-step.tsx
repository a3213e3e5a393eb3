import { Box, chakra, Flex, SimpleGrid, Text } from '@chakra-ui/react';
import { backgrounds, textOn, textTones } from '../../server/contract/contrast.ts';
import { isEqual, valueAt } from '../../server/contract/document-changes.ts';
import { useEditor } from '../editor/context.ts';
import { DoneIcon, WarningIcon } from '../editor/marks.tsx';
import { type Colours, coloursFrom, contrastOf, palettes } from './palettes.ts';

/** The colours of the site: a set, or one colour from which the others are computed. */
export function LookStep() {
  const { draft, state, isLocked } = useEditor();
  // The schema of the document.
  const colours = valueAt(state.document, 'colours') as unknown as Colours;
  const chosen = Object.keys(palettes).find((name) => isEqual(palettes[name], colours));
  const put = (to: Colours) => {
    for (const [path, value] of leavesOf(to, 'colours')) draft.edit(path, value, { isWhole: true });
  };
  const own = colours.primary.light;
  const lowest = contrastOf(colours);
  const [light, dark] = [lowest.light, lowest.dark].map((n) =>
    (Math.floor(n * 10) / 10).toFixed(1),
  );
  const isReadable = lowest.light >= 4.5 && lowest.dark >= 4.5;
  const isDarkened = chosen === undefined && colours.lines.management.light !== own;
  return (
    <>
      <Box asChild minW="0" mt="4">
        <fieldset disabled={isLocked}>
          <chakra.legend srOnly>Colours</chakra.legend>
          <SimpleGrid columns={{ base: 2, md: 3 }} gap="3">
            {Object.entries(palettes).map(([name, one]) => (
              <Card key={name}>
                <input
                  type="radio"
                  name="palette"
                  checked={name === chosen}
                  onChange={() => put(one)}
                />
                <Lines colours={one} mode="light" gap="5px" />
                <Flex justify="space-between" align="center" mt="2">
                  <span>{name}</span>
                  <Chip style={{ background: one.primary.light }} />
                </Flex>
              </Card>
            ))}
            <Card data-own={chosen === undefined || undefined} borderStyle="dashed">
              <chakra.input
                type="color"
                value={own.toLowerCase()}
                onChange={({ target }) => put(coloursFrom(target.value.toUpperCase()))}
                w="9"
                h="7"
                p="0"
                bg="bg"
                cursor="pointer"
              />
              <Box mt="1.5">My colour</Box>
            </Card>
          </SimpleGrid>
        </fieldset>
      </Box>
      <SimpleGrid columns={{ base: 1, md: 2 }} gap="3" mt="4">
        {(['light', 'dark'] as const).map((mode) => (
          <Sample key={mode} mode={mode} colours={colours} />
        ))}
      </SimpleGrid>
      <Flex
        role="status"
        mt="2"
        columnGap="2"
        wrap="wrap"
        textStyle="small"
        fontWeight="600"
        color={isReadable ? 'line.green' : 'line.red'}
      >
        {isReadable ? <DoneIcon /> : <WarningIcon />}
        <span>
          {isReadable
            ? `Readable: at least ${light} on paper, ${dark} in the dark.`
            : 'Hard to read. Choose a set, or change the colours on the screen Site.'}
        </span>
        {isReadable && isDarkened && (
          <span>We darkened it a little so that everyone can read it.</span>
        )}
      </Flex>
    </>
  );
}

/** The texts of a group by their paths. */
function leavesOf(value: unknown, path: string): [path: string, value: unknown][] {
  if (typeof value !== 'object' || value === null) return [[path, value]];
  return Object.entries(value).flatMap(([key, one]) => leavesOf(one, `${path}.${key}`));
}

type Mode = 'light' | 'dark';

const Lines = ({ colours, mode, gap }: { colours: Colours; mode: Mode; gap: string }) => (
  <Box aria-hidden display="grid" style={{ gap }}>
    {Object.entries(colours.lines).map(([name, line]) => (
      <Box key={name} h="4px" borderRadius="2px" style={{ background: line[mode] }} />
    ))}
  </Box>
);

/** What the site looks like, on light and on dark ground. */
function Sample({ mode, colours }: { mode: Mode; colours: Colours }) {
  const { state } = useEditor();
  const text = (path: string) => String(valueAt(state.document, path) ?? '');
  const primary = colours.primary[mode];
  const [ground] = backgrounds[mode];
  return (
    <Box
      aria-hidden
      borderWidth="2px"
      borderColor="fg"
      pt="4"
      pb="3"
      style={{ background: ground.colour, color: textTones[mode === 'light' ? 'dark' : 'light'] }}
    >
      <Box px="4" mb="4">
        <Text textStyle="h3" fontSize="1.5rem" lineClamp="2" overflowWrap="anywhere">
          {text('hero.title')}
        </Text>
        <chakra.span
          display="inline-block"
          mt="3"
          px="3"
          py="1"
          borderRadius="button"
          borderWidth="2px"
          fontWeight="700"
          fontSize="0.875rem"
          style={{
            background: primary,
            color: textOn(primary),
            borderColor: mode === 'light' ? textTones.dark : primary,
          }}
        >
          {text('hero.action')}
        </chakra.span>
      </Box>
      <Lines colours={colours} mode={mode} gap="6px" />
    </Box>
  );
}

const Chip = chakra('span', {
  base: {
    w: '6',
    h: '4',
    flexShrink: '0',
    borderRadius: '8px',
    border: '2px solid {colors.fg}',
  },
});

const Card = chakra('label', {
  base: {
    position: 'relative',
    display: 'block',
    p: '2.5',
    minH: '4.5rem',
    borderWidth: '2px',
    borderColor: 'field',
    borderRadius: 'button',
    fontWeight: '600',
    textStyle: 'small',
    cursor: 'pointer',
    // Covers the card, so that a screen reader's touch finds it.
    '& input[type=radio]': {
      position: 'absolute',
      inset: '0',
      w: 'full',
      h: 'full',
      m: '0',
      opacity: '0',
      cursor: 'pointer',
    },
    '&:has(:checked), &[data-own]': {
      borderColor: 'fg',
      borderStyle: 'solid',
      boxShadow: '0 0 0 2px {colors.fg}',
    },
    '&:has(:focus-visible)': { outline: '3px solid var(--focus)', outlineOffset: '4px' },
  },
});
