import { valueAt } from '../../server/contract/document-changes.ts';
import { timeZones } from '../../server/contract/times.ts';
import { Select } from '../ui/select.tsx';
import { controlId, useEditor } from './context.ts';
import { FieldFrame } from './field-frame.tsx';
import type { Field } from './fields.ts';
import { codeInWords } from './words.ts';

/** A time zone or a currency, from the list of the browser, or a language of the site. */
export function ChoiceField({ path, field }: { path: string; field: Field }) {
  const { draft, state, isLocked, select } = useEditor();
  const value = String(valueAt(state.document, path) ?? '');
  const options =
    field.options ?? (field.kind === 'timeZone' ? timeZones(value) : currencies(value));
  return (
    <FieldFrame path={path}>
      <Select
        id={controlId(path)}
        w="full"
        value={value}
        disabled={isLocked}
        onFocus={() => select(path)}
        onChange={({ target }) => draft.edit(path, target.value, { isWhole: true })}
      >
        {options.map((option) => (
          <option key={option} value={option}>
            {codeInWords(option, field.kind)}
          </option>
        ))}
      </Select>
    </FieldFrame>
  );
}

const currencies = (own: string) => [...new Set([...Intl.supportedValuesOf('currency'), own])];
