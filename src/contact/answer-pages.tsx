/**
 * What a browser without JavaScript is shown after it sent the contact form. The server puts the
 * visitor's words, escaped, in the place of the `{{…}}` tokens.
 */
import { chakra } from '@chakra-ui/react';
import type { ReactNode } from 'react';
import { site } from '../../site.config.ts';
import { Brand } from '../ui/brand.tsx';
import { Button } from '../ui/button.tsx';
import { Section } from '../ui/section.tsx';
import { PlainForm } from './plain-form.tsx';

const words = site.contactPages;

export function ContactSent() {
  return (
    <Page title={words.sentTitle}>
      <chakra.p textStyle="lead" mb="7">
        {words.sent}
      </chakra.p>
      <Button asChild>
        <a href="/">{words.home}</a>
      </Button>
    </Page>
  );
}

/** Says what went wrong, above the form with everything that was typed. */
export function ContactFailed() {
  return (
    <Page title={words.failedTitle}>
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
