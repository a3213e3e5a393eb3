import { chakra } from '@chakra-ui/react';
import { site } from '../../site.config.ts';
import { Field, Input, Textarea } from '../ui/field.tsx';

const words = site.contactPages;

interface Typed {
  name: string;
  email: string;
  company: string;
  message: string;
}

/**
 * The fields of the contact form. The browser checks them; they have no length limits. They stay
 * uncontrolled: `typed` only fills them at first.
 */
export function ContactFields({
  autoFocus = false,
  typed,
}: {
  autoFocus?: boolean;
  typed?: Typed;
}) {
  return (
    <>
      <Field label={words.name}>
        {(control) => (
          <Input
            {...control}
            name="name"
            autoComplete="name"
            required
            autoFocus={autoFocus}
            defaultValue={typed?.name}
          />
        )}
      </Field>
      <Field label={words.email}>
        {(control) => (
          <Input
            {...control}
            name="email"
            type="email"
            autoComplete="email"
            required
            defaultValue={typed?.email}
          />
        )}
      </Field>
      <Field label={words.company}>
        {(control) => (
          <Input
            {...control}
            name="company"
            autoComplete="organization"
            defaultValue={typed?.company}
          />
        )}
      </Field>
      <Field label={words.message}>
        {(control) => (
          <Textarea {...control} name="message" rows={5} required defaultValue={typed?.message} />
        )}
      </Field>
      <Trap name="hq7x" tabIndex={-1} aria-hidden autoComplete="off" />
    </>
  );
}

/** A field that people and their browsers leave alone: what is filled in by a program may be spam. */
const Trap = chakra('input', { base: { position: 'absolute', insetInlineStart: '-99in' } });
