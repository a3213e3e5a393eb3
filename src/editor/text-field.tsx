import { Input, Text, Textarea, VisuallyHidden } from '@chakra-ui/react';
import { valueAt } from '../../server/contract/document-changes.ts';
import { pluralize } from '../../server/contract/numbers.ts';
import { AddressTest } from './address-test.tsx';
import { useEditor } from './context.ts';
import { FieldFrame, type Proposal } from './field-frame.tsx';
import type { Field } from './fields.ts';

/** Longer texts have several lines. */
const mostInOneLine = 90;

/** From how many characters left on each of them is announced. */
const announcedFrom = 10;

const inputTypes: Partial<Record<Field['kind'], 'email' | 'url'>> = {
  email: 'email',
  link: 'url',
  host: 'url',
};

/** A text, an address, or another value that is typed. */
export function TextField({ path, field }: { path: string; field: Field }) {
  const { draft, state, isLocked, select } = useEditor();
  const value = String(valueAt(state.document, path) ?? '');
  const max = field.kind === 'text' ? field.max : undefined;
  const excess = max === undefined ? 0 : value.length - max;
  const control = {
    value,
    readOnly: isLocked,
    onFocus: () => select(path),
    onBlur: () => draft.endChange(),
    onChange: ({ target }: { target: { value: string } }) => draft.edit(path, target.value),
  };
  const isTestable =
    isAddress(field) &&
    value.startsWith('https://') &&
    !state.mistakes.some((one) => one.path === path);
  return (
    <FieldFrame
      path={path}
      mistake={
        excess > 0
          ? `${value.length} of ${max} characters. Take out ${excess}, so that it fits.`
          : undefined
      }
      isQuiet={excess > 0}
      proposal={proposalFor(field, value, valueAt(state.live, path))}
      note={max !== undefined && excess <= 0 && <Counter length={value.length} max={max} />}
    >
      {max !== undefined && max > mostInOneLine ? (
        <Textarea {...control} rows={rowsFor(value)} css={{ fieldSizing: 'content' }} />
      ) : (
        <Input
          {...control}
          type={inputTypes[field.kind] ?? 'text'}
          spellCheck={max !== undefined}
        />
      )}
      {isTestable && <AddressTest key={value} address={value} label={field.label} />}
    </FieldFrame>
  );
}

/** For browsers without `field-sizing`. */
const rowsFor = (value: string) => Math.min(12, Math.max(2, Math.ceil(value.length / 38)));

function Counter({ length, max }: { length: number; max: number }) {
  const left = max - length;
  return (
    <Text>
      <span>{`${length} of ${max} characters`}</span>
      <VisuallyHidden aria-live="polite">
        {left <= announcedFrom && `${pluralize(left, 'character')} left`}
      </VisuallyHidden>
    </Text>
  );
}

const isAddress = ({ kind }: Field) => kind === 'link' || kind === 'host' || kind === 'script';

/** What the owner probably means. */
function proposalFor(field: Field, value: string, live: unknown): Proposal | undefined {
  const typed = value.trim().replace(/^(https?:)?\/*/, '');
  if (isAddress(field) && /^[^\s/]+\.[^\s/]+/.test(typed) && !value.startsWith('https://')) {
    return { label: `Use https://${typed}`, value: `https://${typed}` };
  }
  if (value.trim() === '' && !field.optional && typeof live === 'string' && live !== '') {
    return { label: `Bring back “${live}”`, value: live };
  }
  return undefined;
}
