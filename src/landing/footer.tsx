import { chakra } from '@chakra-ui/react';
import { site } from '../../site.config.ts';
import { BookingButton } from '../booking/button.tsx';
import { Brand } from '../ui/brand.tsx';
import { openProps } from '../ui/invoker.ts';
import { NewTabLink } from '../ui/new-tab-link.tsx';
import { Section, Title } from '../ui/section.tsx';
import { FooterLine, Stop } from './footer-line.tsx';
import { services } from './service-icons.ts';
import { Wordmark } from './wordmark.tsx';

const copy = site.footer;

/** The owner's social profiles that have a URL. */
const profiles = [
  { url: site.links.instagram, name: copy.instagram },
  { url: site.links.linkedin, name: copy.linkedin },
].filter(({ url }) => url !== '');

/** The page footer: the booking action, and links drawn as a transit map. */
export function Footer() {
  return (
    <Section as="footer" tone="inverted" pb="0" containerType="inline-size">
      <Title as="p">{copy.title}</Title>
      <BookingButton variant="primary" control="footer">
        {copy.action}
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
        <FooterLine title={copy.services}>
          {services.map(({ id, name, line }) => (
            <Stop key={id} data-line={line}>
              <a href={`/#${id}`}>{name}</a>
            </Stop>
          ))}
        </FooterLine>
        <FooterLine title={copy.company}>
          <Stop>
            <a href="/#about">{copy.about}</a>
          </Stop>
        </FooterLine>
        <FooterLine title={copy.connect}>
          {profiles.map(({ url, name }) => (
            <Stop key={name}>
              <NewTabLink href={url}>{name}</NewTabLink>
            </Stop>
          ))}
          <Stop>
            <button {...openProps('contact')} data-cta="contact">
              {copy.email}
            </button>
          </Stop>
        </FooterLine>
      </chakra.div>
      <Wordmark />
      <chakra.p textStyle="small" color="fg.onInkSoft" py="5">
        {copy.copyright}
      </chakra.p>
    </Section>
  );
}
