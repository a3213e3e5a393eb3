import { chakra } from '@chakra-ui/react';
import { site } from '../../site.config.ts';
import { Button } from '../ui/button.tsx';
import { ContactFields } from './fields.tsx';

/** What the server puts the visitor's words in the place of. */
const slots = {
  name: '{{name}}',
  email: '{{email}}',
  company: '{{company}}',
  message: '{{message}}',
};

/** The contact form as plain HTML, filled with what was typed. */
export function PlainForm() {
  return (
    <chakra.form action="/api/contact" method="post" display="grid" gap="5" maxW="36rem">
      <ContactFields typed={slots} />
      <Button type="submit" justifySelf="start">
        {site.contactPages.send}
      </Button>
    </chakra.form>
  );
}
