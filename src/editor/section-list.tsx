/** The sections of the form: those of the page as stops on a line, and what stands everywhere. */
import { Box, chakra, Text } from '@chakra-ui/react';
import { isWithin } from '../../server/contract/document-changes.ts';
import { stop } from '../theme/stop.ts';
import { useEditor } from './context.ts';
import { otherSections, pageSections, type Section } from './sections.ts';

export function SectionList({
  current,
  todo,
  onChoose,
}: {
  current: string;
  /** The paths of samples that are left. */
  todo: readonly string[];
  onChoose: (section: Section) => void;
}) {
  const { fields } = useEditor();
  const list = (sections: Section[], isLine: boolean) => (
    <List data-line={isLine || undefined}>
      {sections.map((section) => (
        <Row
          key={section.id}
          section={section}
          isCurrent={section.id === current}
          todo={todo.filter((path) => isWithin(path, section.paths)).length}
          onChoose={() => onChoose(section)}
        />
      ))}
    </List>
  );
  return (
    <Box as="nav" aria-label="Sections" py="3">
      <Caption>In page order</Caption>
      {list(pageSections, true)}
      <Caption mt="4">Everywhere</Caption>
      {list(otherSections(fields), false)}
    </Box>
  );
}

function Row({
  section,
  isCurrent,
  todo,
  onChoose,
}: {
  section: Section;
  isCurrent: boolean;
  todo: number;
  onChoose: () => void;
}) {
  const { state } = useEditor();
  const changed = state.changes.filter(({ path }) => isWithin(path, section.paths)).length;
  return (
    <li>
      <chakra.button
        type="button"
        aria-current={isCurrent || undefined}
        data-changed={changed > 0 || undefined}
        onClick={onChoose}
      >
        <span>{section.title}</span>
        {changed > 0 && (
          <Text as="span" ms="auto" textStyle="small" fontSize="0.8125rem" color="line.blue">
            {`${changed} changed`}
          </Text>
        )}
        {changed === 0 && todo > 0 && (
          <Text
            as="span"
            ms="auto"
            whiteSpace="nowrap"
            textStyle="small"
            fontSize="0.8125rem"
            color="fg.muted"
          >
            {`${todo} to do`}
          </Text>
        )}
      </chakra.button>
    </li>
  );
}

const Caption = chakra('p', { base: { px: '6', py: '1', textStyle: 'small', color: 'fg.muted' } });

const List = chakra('ul', {
  base: {
    listStyleType: 'none',
    '& button': {
      position: 'relative',
      display: 'flex',
      alignItems: 'center',
      gap: '3',
      w: 'full',
      minH: { base: '11', lg: '8' },
      ps: '14',
      pe: '5',
      fontSize: { base: '1.0625rem', lg: '0.9375rem' },
      textAlign: 'start',
      cursor: 'pointer',
      _hover: { bg: 'bg.tint' },
    },
    '& [aria-current]': { bg: 'bg.tint', fontWeight: '700' },
    '&[data-line] button': {
      _before: {
        content: '""',
        position: 'absolute',
        insetBlock: '0',
        insetStart: '31px',
        w: '4px',
        bg: 'fg',
      },
      _after: { ...stop({ size: 12, ring: 3 }), insetStart: '27px', top: 'calc(50% - 6px)' },
    },
    '&[data-line] li:first-of-type button::before': { top: '50%' },
    '&[data-line] li:last-of-type button::before': { bottom: '50%' },
    '&[data-line] [data-changed]::after': { bg: 'line.blue', borderColor: 'line.blue' },
    '&[data-line] [aria-current]::after': {
      boxSize: '20px',
      insetStart: '23px',
      top: 'calc(50% - 10px)',
      borderWidth: '5px',
      bg: 'bg',
      borderColor: 'line.blue',
    },
  },
});
