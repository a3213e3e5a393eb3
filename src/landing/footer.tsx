import { chakra } from '@chakra-ui/react';
import { site } from '../../site.config.ts';
import { BookingButton } from '../booking/button.tsx';
import { Brand } from '../ui/brand.tsx';
import { opens } from '../ui/invoker.ts';
import { NewTabLink } from '../ui/new-tab-link.tsx';
import { Section, Title } from '../ui/section.tsx';
import { FooterLine, Stop } from './footer-line.tsx';
import { services } from './places.ts';
import { Wordmark } from './wordmark.tsx';

const words = site.footer;

/** The end of the line: the network once more, as links. */
export function Footer() {
  return (
    <Section as="footer" tone="ink" pb="0">
      <Title as="p">{words.title}</Title>
      <BookingButton variant="sign" control="footer">
        {words.action}
      </BookingButton>
      <chakra.div
        display="grid"
        gridTemplateColumns={{ md: '1fr 1fr', lg: '4fr 3fr 2fr 3fr' }}
        gap="block"
        mt="band"
      >
        <div>
          <Brand />
          <chakra.p color="fg.onInkSoft" maxW="20em" mt="2">
            {site.brand.tagline}
          </chakra.p>
        </div>
        <FooterLine title={words.services}>
          {services.map(({ id, name, line }) => (
            <Stop key={id} data-line={line}>
              <a href={`/#${id}`}>{name}</a>
            </Stop>
          ))}
        </FooterLine>
        <FooterLine title={words.company}>
          <Stop data-line="blue">
            <a href="/#about">{words.about}</a>
          </Stop>
        </FooterLine>
        <FooterLine title={words.connect}>
          <Stop data-line="red">
            <NewTabLink href={site.links.instagram}>{words.instagram}</NewTabLink>
          </Stop>
          <Stop data-line="red">
            <NewTabLink href={site.links.linkedin}>{words.linkedin}</NewTabLink>
          </Stop>
          <Stop data-line="red">
            <button {...opens('contact')} data-cta="contact">
              {words.email}
            </button>
          </Stop>
        </FooterLine>
      </chakra.div>
      <Wordmark />
      <chakra.p textStyle="small" color="fg.onInkSoft" py="5">
        {words.copyright}
      </chakra.p>
    </Section>
  );
}
