import { Flex, Input } from '@chakra-ui/react';
import { useState } from 'react';
import { valueAt } from '../../server/contract/document-changes.ts';
import { Select } from '../ui/select.tsx';
import { controlId, useEditor } from './context.ts';
import { FieldFrame } from './field-frame.tsx';
import type { Field } from './fields.ts';

const units = ['minute', 'hour', 'day'] as const;

/** A number, or a time such as `12 hours` as a number and a unit. */
export function DurationField({ path, field }: { path: string; field: Field }) {
  const { draft, state, isLocked, select } = useEditor();
  const value = String(valueAt(state.document, path) ?? '');
  const [amount = '', word = 'hours'] = value.split(' ');
  const unit = units.find((one) => word.startsWith(one)) ?? 'hour';
  const put = (number: string, of: string) =>
    draft.edit(path, `${number} ${of}${number === '1' ? '' : 's'}`);
  return (
    <FieldFrame path={path}>
      <Flex gap="2">
        <Input
          id={controlId(path)}
          inputMode="numeric"
          w="6em"
          value={amount}
          readOnly={isLocked}
          onFocus={() => select(path)}
          onBlur={() => draft.endChange()}
          onChange={({ target }) => put(target.value.trim(), unit)}
        />
        <Select
          aria-label={`${field.label}, unit`}
          value={unit}
          disabled={isLocked}
          onChange={({ target }) => put(amount, target.value)}
        >
          {units.map((one) => (
            <option key={one} value={one}>
              {`${one}s`}
            </option>
          ))}
        </Select>
      </Flex>
    </FieldFrame>
  );
}

/** A whole number. What is no number stays as it is typed until it is one, or the focus leaves. */
export function NumberField({ path, field }: { path: string; field: Field }) {
  const { draft, state, isLocked, select } = useEditor();
  const value = valueAt(state.document, path);
  const [typed, setTyped] = useState<string>();
  return (
    <FieldFrame path={path}>
      <Input
        type="number"
        id={controlId(path)}
        w="6em"
        min={field.least}
        max={field.most}
        value={typed ?? String(value)}
        readOnly={isLocked}
        onFocus={() => select(path)}
        onBlur={() => {
          setTyped(undefined);
          draft.endChange();
        }}
        onChange={({ target }) => {
          setTyped(target.value);
          if (target.value !== '') draft.edit(path, Number(target.value));
        }}
      />
    </FieldFrame>
  );
}
