/**
 * The pages that a browser without JavaScript gets after it has sent the contact form. The server
 * replaces the `{{…}}` variables with the visitor's input, escaped.
 */
import { Button, Grid, Heading, Text } from '@chakra-ui/react';
import type { ReactNode } from 'react';
import { eachField } from '../../server/contract/contact-fields.ts';
import type { ContactFailedVariables } from '../../server/contract/pages.ts';
import { PlainHeader } from '../ui/brand.tsx';
import { Section } from '../ui/section.tsx';
import { words } from '../ui/site-words.ts';
import { templateOf } from '../ui/template.tsx';
import { ContactFields } from './fields.tsx';

const copy = words.contactPages;

const { value } = templateOf<ContactFailedVariables>();

/** The page after a message was sent. */
export function ContactSent() {
  return (
    <Page title={copy.sentTitle}>
      <Text textStyle="lead" mb="7">
        {copy.sent}
      </Text>
      <Button asChild>
        <a href="/">{copy.home}</a>
      </Button>
    </Page>
  );
}

/** The page after an error: what went wrong, above the form with everything that was typed. */
export function ContactFailed() {
  return (
    <Page title={copy.failedTitle}>
      <Text
        role="alert"
        maxW="36em"
        mb="7"
        ps="4"
        borderInlineStart="6px solid"
        borderColor="line.red"
        fontWeight="700"
      >
        {value('error')}
      </Text>
      <PlainForm />
    </Page>
  );
}

function Page({ title, children }: { title: string; children: ReactNode }) {
  return (
    <>
      <PlainHeader />
      <main>
        <Section>
          <Heading as="h1" textStyle="h2" mb="5">
            {title}
          </Heading>
          {children}
        </Section>
      </main>
    </>
  );
}

/** What the visitor typed. */
const typed = eachField(value, value);

/** The contact form as plain HTML, filled with what was typed before. */
function PlainForm() {
  return (
    <Grid asChild gap="5" maxW="36rem">
      <form action="/api/contact" method="post">
        <ContactFields values={typed} />
        <Button type="submit" justifySelf="start">
          {words.contactPages.send}
        </Button>
      </form>
    </Grid>
  );
}
