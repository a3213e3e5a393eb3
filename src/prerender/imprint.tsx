import { Box, Heading } from '@chakra-ui/react';
import { legal } from '../../site.defaults.ts';
import { PageLayout } from '../landing/page-layout.tsx';
import { Section } from '../ui/section.tsx';
import { words } from '../ui/site-words.ts';
import { EmailLink, Facts, NameAndAddress } from './legal-facts.tsx';

const copy = words.imprintPage;

/** The imprint: who is responsible for the site, without the fields that the config leaves empty. */
export function Imprint() {
  return (
    <PageLayout>
      <Section>
        <Heading as="h1" textStyle="h1" mb="block">
          {words.legal.imprint}
        </Heading>
        <Box borderTop="2px solid" pt="6" maxW="40rem">
          <Facts
            labelWidth="13rem"
            facts={[
              [copy.name, <NameAndAddress key="name" />],
              [copy.email, <EmailLink key="email" />],
              ...(['phone', 'register', 'vatId', 'responsible'] as const)
                .filter((name) => legal[name] !== '')
                .map((name) => [copy[name], legal[name]] as const),
            ]}
          />
        </Box>
      </Section>
    </PageLayout>
  );
}
