import { site } from '../../site.config.ts';
import { Field, Input, Textarea } from '../ui/field.tsx';

const words = site.contactPages;

/** The fields of the contact form. The browser checks them; they have no length limits. */
export function ContactFields({ autoFocus = false }: { autoFocus?: boolean }) {
  return (
    <>
      <Field label={words.name}>
        {(control) => (
          <Input {...control} name="name" autoComplete="name" required autoFocus={autoFocus} />
        )}
      </Field>
      <Field label={words.email}>
        {(control) => (
          <Input {...control} name="email" type="email" autoComplete="email" required />
        )}
      </Field>
      <Field label={words.company}>
        {(control) => <Input {...control} name="company" autoComplete="organization" />}
      </Field>
      <Field label={words.message}>
        {(control) => <Textarea {...control} name="message" rows={5} required />}
      </Field>
    </>
  );
}
