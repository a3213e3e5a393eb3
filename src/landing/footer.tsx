import { chakra } from '@chakra-ui/react';
import { site } from '../../site.config.ts';
import { BookingButton } from '../booking/button.tsx';
import { Brand } from '../ui/brand.tsx';
import { opens } from '../ui/invoker.ts';
import { NewTabLink } from '../ui/new-tab-link.tsx';
import { Section, Title } from '../ui/section.tsx';
import { FooterLine, Stop } from './footer-line.tsx';
import { services } from './service-icons.ts';
import { Wordmark } from './wordmark.tsx';

const words = site.footer;

/** Where else the owner is to be found: the profiles that have an address. */
const profiles = [
  { address: site.links.instagram, name: words.instagram },
  { address: site.links.linkedin, name: words.linkedin },
].filter(({ address }) => address !== '');

/** The end of the line: the network once more, as links. */
export function Footer() {
  return (
    <Section as="footer" tone="ink" pb="0" containerType="inline-size">
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
        <chakra.div mt="-10px">
          <Brand />
          <chakra.p color="fg.onInkSoft" maxW="20em" mt="2">
            {site.brand.tagline}
          </chakra.p>
        </chakra.div>
        <FooterLine title={words.services}>
          {services.map(({ id, name, line }) => (
            <Stop key={id} data-line={line}>
              <a href={`/#${id}`}>{name}</a>
            </Stop>
          ))}
        </FooterLine>
        <FooterLine title={words.company}>
          <Stop>
            <a href="/#about">{words.about}</a>
          </Stop>
        </FooterLine>
        <FooterLine title={words.connect}>
          {profiles.map(({ address, name }) => (
            <Stop key={name}>
              <NewTabLink href={address}>{name}</NewTabLink>
            </Stop>
          ))}
          <Stop>
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
