/**
 * The pages that a browser without JavaScript gets after it has sent the contact form. The server
 * replaces the `{{…}}` variables with the visitor's input, escaped.
 */
import { chakra } from '@chakra-ui/react';
import type { ReactNode } from 'react';
import { site } from '../../site.config.ts';
import { Brand } from '../ui/brand.tsx';
import { Button } from '../ui/button.tsx';
import { Section } from '../ui/section.tsx';
import { PlainForm } from './plain-form.tsx';

const copy = site.contactPages;

/** The page after a message was sent. */
export function ContactSent() {
  return (
    <Page title={copy.sentTitle}>
      <chakra.p textStyle="lead" mb="7">
        {copy.sent}
      </chakra.p>
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
      <chakra.p
        role="alert"
        maxW="36em"
        mb="7"
        ps="4"
        borderInlineStart="6px solid"
        borderColor="line.red"
        fontWeight="700"
      >
        {'{{error}}'}
      </chakra.p>
      <PlainForm />
    </Page>
  );
}

function Page({ title, children }: { title: string; children: ReactNode }) {
  return (
    <>
      <chakra.header px="gutter" py="14px" borderBottom="4px solid" borderColor="fg">
        <Brand />
      </chakra.header>
      <main>
        <Section>
          <chakra.h1 textStyle="h2" mb="5">
            {title}
          </chakra.h1>
          {children}
        </Section>
      </main>
    </>
  );
}
