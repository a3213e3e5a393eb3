import { Box, Heading } from '@chakra-ui/react';
import { legal } from '../../site.defaults.ts';
import { PageLayout } from '../landing/page-layout.tsx';
import { Section } from '../ui/section.tsx';
import { words } from '../ui/site-words.ts';
import { EmailLink, Facts, NameAndAddress } from './legal-facts.tsx';

/** The imprint: who is responsible for the site, without the fields that the config leaves empty. */
export function Imprint() {
  const { phone, register, vatId, responsible } = legal;
  return (
    <PageLayout>
      <Section>
        <Heading as="h1" textStyle="h1" mb="block">
          {words.legal.imprint}
        </Heading>
        <Box borderTop="2px solid" pt="6" maxW="40rem">
          <Facts
            labelWidth="13rem"
            facts={{
              Responsible: <NameAndAddress />,
              Email: <EmailLink />,
              ...(phone && { Phone: phone }),
              ...(register && { Register: register }),
              ...(vatId && { 'VAT ID': vatId }),
              ...(responsible && { 'Responsible for the texts': responsible }),
            }}
          />
        </Box>
      </Section>
    </PageLayout>
  );
}
