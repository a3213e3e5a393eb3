import { chakra } from '@chakra-ui/react';
import { site } from '../../site.config.ts';
import { EndOfLine } from '../landing/art/end-of-line.tsx';
import { Dialogs } from '../landing/dialogs.tsx';
import { Footer } from '../landing/footer.tsx';
import { PageLayout } from '../landing/page-layout.tsx';
import { Button } from '../ui/button.tsx';
import { Section } from '../ui/section.tsx';

const { title, text, home } = site.notFound;

/** The 404 page. */
export function NotFound() {
  return (
    <PageLayout>
      <main id="main">
        <Section>
          <EndOfLine />
          <chakra.h1 textStyle="h1">{title}</chakra.h1>
          <chakra.p textStyle="lead" color="fg.soft" mt="5" mb="7">
            {text}
          </chakra.p>
          <Button asChild>
            <a href="/">{home}</a>
          </Button>
        </Section>
      </main>
      <Footer />
      <Dialogs />
    </PageLayout>
  );
}
