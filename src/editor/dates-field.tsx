import { Flex } from '@chakra-ui/react';
import { valueAt } from '../../server/contract/document-changes.ts';
import { controlId, useEditor } from './context.ts';
import { FieldFrame } from './field-frame.tsx';
import { TimeInput } from './time-input.tsx';

/** A date, or two such as `2026-12-24/2027-01-01`, with the last one included. */
export function DatesField({ path }: { path: string }) {
  const { draft, state, isLocked, select } = useEditor();
  const [first = '', last = ''] = String(valueAt(state.document, path) ?? '').split('/');
  const put = (from: string, to: string) =>
    draft.edit(path, to === '' || to === from ? from : `${from}/${to}`);
  const control = {
    type: 'date',
    readOnly: isLocked,
    onFocus: () => select(path),
    onBlur: () => draft.endChange(),
  } as const;
  return (
    <FieldFrame path={path} isGrouped>
      <Flex gap="1" align="center">
        <TimeInput
          {...control}
          id={controlId(path)}
          aria-label="First day"
          value={first}
          onValue={(value) => put(value, last)}
        />
        <span>–</span>
        <TimeInput
          {...control}
          aria-label="Last day"
          value={last || first}
          min={first}
          onValue={(value) => put(first, value)}
        />
      </Flex>
    </FieldFrame>
  );
}
