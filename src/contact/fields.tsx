import { Input, Textarea } from '@chakra-ui/react';
import { type FieldName, fieldNames, fieldOf } from '../../server/contract/contact-fields.ts';
import { Field } from '../ui/field.tsx';
import { Honeypot } from '../ui/honeypot-field.tsx';
import { words } from '../ui/site-words.ts';

const copy = words.contactPages;

/**
 * The fields of the contact form. The browser validates them; they have no length limits. They are
 * uncontrolled: `values` are only their defaults.
 */
export function ContactFields({
  autoFocus = false,
  isReadOnly = false,
  values,
}: {
  autoFocus?: boolean;
  isReadOnly?: boolean;
  values?: Record<FieldName, string>;
}) {
  return (
    <>
      {fieldNames.map((name, i) => {
        const { required, type, autoComplete, rows } = fieldOf(name);
        const props = {
          name,
          autoComplete,
          required,
          readOnly: isReadOnly,
          autoFocus: autoFocus && i === 0,
          defaultValue: values?.[name],
        };
        return (
          <Field key={name} label={copy[name]}>
            {rows ? <Textarea rows={rows} {...props} /> : <Input type={type} {...props} />}
          </Field>
        );
      })}
      <Honeypot />
    </>
  );
}
