import { Input, Textarea } from '@chakra-ui/react';
import { site } from '../../site.config.ts';
import { Field } from '../ui/field.tsx';
import { Honeypot } from '../ui/honeypot.tsx';
import type { FieldName } from './draft.ts';

const copy = site.contactPages;

type Values = Record<FieldName, string>;

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
  values?: Values;
}) {
  return (
    <>
      <Field label={copy.name}>
        <Input
          name="name"
          autoComplete="name"
          required
          readOnly={isReadOnly}
          autoFocus={autoFocus}
          defaultValue={values?.name}
        />
      </Field>
      <Field label={copy.email}>
        <Input
          name="email"
          type="email"
          autoComplete="email"
          required
          readOnly={isReadOnly}
          defaultValue={values?.email}
        />
      </Field>
      <Field label={copy.company}>
        <Input
          name="company"
          autoComplete="organization"
          readOnly={isReadOnly}
          defaultValue={values?.company}
        />
      </Field>
      <Field label={copy.message}>
        <Textarea
          name="message"
          rows={5}
          required
          readOnly={isReadOnly}
          defaultValue={values?.message}
        />
      </Field>
      <Honeypot />
    </>
  );
}
