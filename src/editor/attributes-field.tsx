import { Button, Flex, Input } from '@chakra-ui/react';
import { valueAt } from '../../server/contract/document-changes.ts';
import { CloseIcon } from '../ui/icons.tsx';
import { controlId, useEditor } from './context.ts';
import { FieldFrame } from './field-frame.tsx';
import { IconButton } from './icon-button.tsx';
import { removedAt, replacedAt } from './lists.ts';

/** The attributes of a tag: names with values. */
export function AttributesField({ path }: { path: string }) {
  const { draft, state, isLocked, select } = useEditor();
  const entries = Object.entries((valueAt(state.document, path) ?? {}) as Record<string, string>);
  const put = (next: [string, string][]) =>
    draft.edit(path, Object.fromEntries(next), { isWhole: true });
  return (
    <FieldFrame path={path} isGrouped>
      {entries.map(([name, value], index) => {
        const input = (label: string, text: string, entry: (to: string) => [string, string]) => (
          <Input
            aria-label={label}
            value={text}
            readOnly={isLocked}
            onFocus={() => select(path)}
            onChange={({ target }) => put(replacedAt(entries, index, entry(target.value)))}
          />
        );
        return (
          // biome-ignore lint/suspicious/noArrayIndexKey: a name changes while it is typed
          <Flex key={index} gap="1" mb="1" align="center">
            {input('Name', name, (to) => [to, value])}
            {input('Value', value, (to) => [name, to])}
            {!isLocked && (
              <IconButton label={`Remove ${name}`} onClick={() => put(removedAt(entries, index))}>
                <CloseIcon size={16} />
              </IconButton>
            )}
          </Flex>
        );
      })}
      {!isLocked && (
        <Button
          type="button"
          id={controlId(path)}
          variant="plain"
          minH="8"
          fontSize="0.9375rem"
          onClick={() => put([...entries, [`data-${entries.length + 1}`, '']])}
        >
          Add an attribute
        </Button>
      )}
    </FieldFrame>
  );
}
