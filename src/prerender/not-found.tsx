import { Button, Heading, Text } from '@chakra-ui/react';
import { site } from '../../site.config.ts';
import { EndOfLine } from '../landing/art/end-of-line.tsx';
import { PageLayout } from '../landing/page-layout.tsx';
import { Section } from '../ui/section.tsx';

const { title, text, home } = site.notFound;

/** The 404 page. */
export function NotFound() {
  return (
    <PageLayout>
      <Section>
        <EndOfLine />
        <Heading as="h1" textStyle="h1">
          {title}
        </Heading>
        <Text textStyle="lead" color="fg.soft" mt="5" mb="7">
          {text}
        </Text>
        <Button asChild>
          <a href="/">{home}</a>
        </Button>
      </Section>
    </PageLayout>
  );
}
