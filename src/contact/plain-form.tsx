import { chakra } from '@chakra-ui/react';
import { site } from '../../site.config.ts';
import { Button } from '../ui/button.tsx';
import { ContactFields } from './fields.tsx';

/** Template variables that the server replaces with the visitor's input. */
const variables = {
  name: '{{name}}',
  email: '{{email}}',
  company: '{{company}}',
  message: '{{message}}',
};

/** The contact form as plain HTML, filled with what was typed before. */
export function PlainForm() {
  return (
    <chakra.form action="/api/contact" method="post" display="grid" gap="5" maxW="36rem">
      <ContactFields values={variables} />
      <Button type="submit" justifySelf="start">
        {site.contactPages.send}
      </Button>
    </chakra.form>
  );
}
