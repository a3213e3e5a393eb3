/** A list of entries: the owner adds, opens, moves and removes them. */
import { Box, Button, chakra, Flex, Text } from '@chakra-ui/react';
import { type ReactNode, useRef, useState } from 'react';
import { valueAt } from '../../server/contract/document-changes.ts';
import { PlusIcon } from '../ui/icons.tsx';
import { controlId, useEditor } from './context.ts';
import { useEntryKeys } from './entry-keys.ts';
import { FieldFrame } from './field-frame.tsx';
import type { Field } from './fields.ts';
import { ListEntry } from './list-entry.tsx';
import { insertedAt, removedAt } from './lists.ts';
import { inWords } from './words.ts';

/** One list, since a list is known by its identity. */
const none: readonly unknown[] = [];

/** `children` makes the controls of an entry. */
export function ListField({
  path,
  field,
  children,
}: {
  path: string;
  field: Field;
  children: (path: string) => ReactNode;
}) {
  const { draft, state, fields, isLocked, selected, announce, open, select } = useEditor();
  const value = valueAt(state.document, path);
  const entries: readonly unknown[] = Array.isArray(value) ? value : none;
  const keys = useEntryKeys(entries);
  const { least = 0, most = Number.POSITIVE_INFINITY } = field;
  const entryLabel = fields.at(`${path}.0`)?.label ?? 'Entry';
  const nameOf = (index: number) => `${entryLabel} ${index + 1}`;
  const isFixed = least === most;
  // A field of an entry was chosen elsewhere.
  const chosen = selected?.startsWith(`${path}.`)
    ? Number(selected.slice(path.length + 1).split('.')[0])
    : undefined;
  const list = useRef<HTMLUListElement>(null);
  /** The entry that was removed last, until the list is another one. */
  const [removed, setRemoved] = useState<{ index: number; entry: unknown; left: unknown[] }>();
  /** The key of the open entry. */
  const [opened, setOpened] = useState(chosen === undefined ? undefined : keys[chosen]);
  const [refusal, setRefusal] = useState('');

  const [wasChosen, setWasChosen] = useState(chosen);
  // While rendering, so that the chosen field is there to take the focus.
  if (chosen !== wasChosen) {
    setWasChosen(chosen);
    if (chosen !== undefined) setOpened(keys[chosen]);
  }

  const change = (to: unknown[]) => {
    draft.edit(path, to, { isWhole: true });
    setRefusal('');
  };
  const focusIn = (index: number, selector: string) =>
    requestAnimationFrame(() =>
      list.current?.querySelector<HTMLElement>(`[data-entry="${index}"] ${selector}`)?.focus(),
    );
  const move = (from: number, to: number) => {
    if (to < 0 || to >= entries.length || to === from) return;
    change(insertedAt(removedAt(entries, from), to, entries[from]));
    select(`${path}.${to}`);
    announce(`${nameOf(from)} moved to ${to + 1} of ${entries.length}`);
  };
  const remove = (index: number) => {
    if (entries.length <= least) {
      setRefusal(
        least === 1
          ? `At least one ${entryLabel.toLowerCase()} must stay.`
          : `At least ${least} must stay.`,
      );
      return;
    }
    const left = removedAt(entries, index);
    change(left);
    setRemoved({ index, entry: entries[index], left });
    requestAnimationFrame(() => list.current?.querySelector<HTMLElement>('[data-undo]')?.focus());
  };
  const restore = () => {
    if (!removed) return;
    change(insertedAt(entries, removed.index, removed.entry));
    focusIn(removed.index, 'button, textarea, input');
  };
  const add = () => {
    change([...entries, fields.newEntry(path, entries)]);
    const index = entries.length;
    const first = fields.partsOf(`${path}.${index}`)[0]?.path ?? `${path}.${index}`;
    requestAnimationFrame(() => open(first));
  };

  const count = isFixed
    ? `${entries.length}`
    : `${entries.length}${Number.isFinite(most) ? `, at most ${most}` : ''}`;
  return (
    <FieldFrame
      path={path}
      isGrouped
      note={
        <Text role="status" fontWeight="600" color="line.red">
          {refusal}
        </Text>
      }
    >
      <Text textStyle="small" color="fg.muted" mt="-1" mb="1">
        {count}
      </Text>
      <chakra.ul ref={list} listStyleType="none" borderTop="1px solid" borderColor="hairline">
        {[...entries.keys(), entries.length].map((index) => (
          <Box as="li" key={keys[index] ?? 'end'} data-entry={index} borderColor="hairline">
            {removed?.index === index && removed.left === entries && (
              <Flex
                align="center"
                justify="space-between"
                gap="3"
                px="3"
                py="2"
                bg="bg.tint"
                textStyle="small"
              >
                <Text minW="0" truncate>
                  {`“${inWords(removed.entry, `${path}.${index}`, fields) || entryLabel}” is deleted.`}
                </Text>
                <Button
                  type="button"
                  variant="plain"
                  minH="8"
                  flexShrink="0"
                  data-undo=""
                  onClick={restore}
                >
                  Undo
                </Button>
              </Flex>
            )}
            {index < entries.length && (
              <ListEntry
                path={`${path}.${index}`}
                name={nameOf(index)}
                isOpen={opened !== undefined && opened === keys[index]}
                onOpen={(isOpen) => {
                  setOpened(isOpen ? keys[index] : undefined);
                  select(isOpen ? `${path}.${index}` : path);
                  // Another button takes the place of the one that was pressed.
                  focusIn(index, '[aria-expanded]');
                }}
                isLocked={isLocked}
                onDrop={(y) => move(index, targetOf(list.current, index, y))}
                onMove={(by) => {
                  move(index, index + by);
                  const next = Math.min(entries.length - 1, Math.max(0, index + by));
                  focusIn(next, `[data-move="${by}"]`);
                }}
                onRemove={isFixed ? undefined : () => remove(index)}
              >
                {children(`${path}.${index}`)}
              </ListEntry>
            )}
          </Box>
        ))}
      </chakra.ul>
      {!isFixed && !isLocked && (
        <Button
          type="button"
          id={controlId(path)}
          minH="11"
          mt="3"
          aria-disabled={entries.length >= most}
          onClick={() => {
            if (entries.length < most) add();
            else setRefusal(`There is room for ${most}.`);
          }}
        >
          <PlusIcon size={18} />
          <span>{`Add ${withArticle(entryLabel.toLowerCase())}`}</span>
        </Button>
      )}
    </FieldFrame>
  );
}

/** `an entry`, `a question`; a plural has none. */
const withArticle = (label: string) =>
  label.endsWith('s') ? label : `${/^[aeiou]/.test(label) ? 'an' : 'a'} ${label}`;

/** The index of the entry at a height of the window, for one that is dropped there. */
function targetOf(list: HTMLElement | null, own: number, y: number): number {
  const rows = [...(list?.querySelectorAll<HTMLElement>(':scope > [data-entry]') ?? [])];
  const above = rows.filter((row, i) => {
    const { top, height } = row.getBoundingClientRect();
    return i !== own && height > 0 && top + height / 2 < y;
  });
  return above.length;
}
