import { Button, Input } from '@chakra-ui/react';
import { controlId, useEditor } from './context.ts';
import { FieldFrame } from './field-frame.tsx';
import { removedAt, replacedAt } from './lists.ts';
import { RemovableRow } from './removable-row.tsx';
import { usePairs } from './use-pairs.ts';

/** The attributes of a tag: names with values. */
export function AttributesField({ path }: { path: string }) {
  const { isLocked, select } = useEditor();
  const { pairs, hasTwins, put } = usePairs<string>(path);
  return (
    <FieldFrame
      path={path}
      isGrouped
      mistake={
        hasTwins ? 'Two attributes have the same name. Please write another one.' : undefined
      }
    >
      {pairs.map(([name, value], index) => {
        const input = (label: string, text: string, entry: (to: string) => [string, string]) => (
          <Input
            aria-label={label}
            value={text}
            readOnly={isLocked}
            onFocus={() => select(path)}
            onChange={({ target }) => put(replacedAt(pairs, index, entry(target.value)))}
          />
        );
        return (
          <RemovableRow
            // biome-ignore lint/suspicious/noArrayIndexKey: a name changes while it is typed
            key={index}
            mb="1"
            name={name}
            onRemove={() => put(removedAt(pairs, index))}
          >
            {input('Name', name, (to) => [to, value])}
            {input('Value', value, (to) => [name, to])}
          </RemovableRow>
        );
      })}
      {!isLocked && (
        <Button
          type="button"
          id={controlId(path)}
          variant="plain"
          minH="8"
          fontSize="0.9375rem"
          onClick={() => put([...pairs, [`data-${pairs.length + 1}`, '']])}
        >
          Add an attribute
        </Button>
      )}
    </FieldFrame>
  );
}
