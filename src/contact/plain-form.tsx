import { chakra } from '@chakra-ui/react';
import { site } from '../../site.config.ts';
import { Button } from '../ui/button.tsx';
import { Field, Input, Textarea } from '../ui/field.tsx';

const words = site.contactPages;

/** The contact form as plain HTML, filled with what was typed. */
export function PlainForm() {
  return (
    <chakra.form action="/api/contact" method="post" display="grid" gap="5" maxW="36rem">
      <Field label={words.name}>
        {(field) => (
          <Input {...field} name="name" autoComplete="name" required defaultValue="{{name}}" />
        )}
      </Field>
      <Field label={words.email}>
        {(field) => (
          <Input
            {...field}
            name="email"
            type="email"
            autoComplete="email"
            required
            defaultValue="{{email}}"
          />
        )}
      </Field>
      <Field label={words.company}>
        {(field) => (
          <Input {...field} name="company" autoComplete="organization" defaultValue="{{company}}" />
        )}
      </Field>
      <Field label={words.message}>
        {(field) => (
          <Textarea {...field} name="message" rows={6} required defaultValue="{{message}}" />
        )}
      </Field>
      <Button type="submit" variant="sign" justifySelf="start">
        {words.send}
      </Button>
    </chakra.form>
  );
}
