import { chakra } from '@chakra-ui/react';
import { site } from '../../site.config.ts';
import { Field, Input, Textarea } from '../ui/field.tsx';

const copy = site.contactPages;

interface Values {
  name: string;
  email: string;
  company: string;
  message: string;
}

/**
 * The fields of the contact form. The browser validates them; they have no length limits. They are
 * uncontrolled: `values` are only their defaults.
 */
export function ContactFields({
  autoFocus = false,
  values,
}: {
  autoFocus?: boolean;
  values?: Values;
}) {
  return (
    <>
      <Field label={copy.name}>
        {(control) => (
          <Input
            {...control}
            name="name"
            autoComplete="name"
            required
            autoFocus={autoFocus}
            defaultValue={values?.name}
          />
        )}
      </Field>
      <Field label={copy.email}>
        {(control) => (
          <Input
            {...control}
            name="email"
            type="email"
            autoComplete="email"
            required
            defaultValue={values?.email}
          />
        )}
      </Field>
      <Field label={copy.company}>
        {(control) => (
          <Input
            {...control}
            name="company"
            autoComplete="organization"
            defaultValue={values?.company}
          />
        )}
      </Field>
      <Field label={copy.message}>
        {(control) => (
          <Textarea {...control} name="message" rows={5} required defaultValue={values?.message} />
        )}
      </Field>
      <Honeypot name="hq7x" tabIndex={-1} aria-hidden autoComplete="off" />
    </>
  );
}

/** A field off screen, which only bots fill in: a value in it is a sign of spam. */
const Honeypot = chakra('input', { base: { position: 'absolute', insetInlineStart: '-99in' } });
