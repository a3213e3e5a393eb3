import { chakra } from '@chakra-ui/react';
export function ContactForm() {
  return (
    <chakra.form action="/api/contact" method="post" p="4">
      <input name="name" />
    </chakra.form>
  );
}
