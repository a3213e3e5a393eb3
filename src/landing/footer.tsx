import { Box, chakra, Grid, Heading, Text } from '@chakra-ui/react';
import type { ReactNode } from 'react';
import { site } from '../../site.config.ts';
import { BookingButton } from '../booking/button.tsx';
import { widthOf } from '../theme/letters.ts';
import { drawn, stop } from '../theme/stop.ts';
import { Brand } from '../ui/brand.tsx';
import { openProps } from '../ui/invoker.ts';
import { LegalLinks } from '../ui/legal-links.tsx';
import { NewTabLink } from '../ui/new-tab-link.tsx';
import { Section, Title } from '../ui/section.tsx';
import { services } from './services.tsx';

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
      <BookingButton variant="solid" button="footer">
        {copy.action}
      </BookingButton>
      <Grid templateColumns={{ md: '1fr 1fr', lg: '4fr 3fr 2fr 3fr' }} gap="block" mt="band">
        <Box mt="-10px">
          <Brand />
          <Text color="fg.onInvertedSoft" maxW="20em" mt="2">
            {site.brand.tagline}
          </Text>
        </Box>
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
      </Grid>
      <Wordmark />
      <LegalLinks color="fg.onInvertedSoft">
        <p>{copy.copyright}</p>
      </LegalLinks>
    </Section>
  );
}

/** A titled list of links in the footer, drawn as a line of the map. */
function FooterLine({ title, children }: { title: string; children: ReactNode }) {
  return (
    <div>
      <Heading textStyle="h4" mb="2">
        {title}
      </Heading>
      <ul>{children}</ul>
    </div>
  );
}

/** An item of a `FooterLine`, in the colour of its `data-line`, if it has one. */
const Stop = chakra('li', {
  base: {
    position: 'relative',
    ps: '8',
    _before: {
      ...drawn,
      insetStart: '6px',
      insetY: '0',
      borderInlineStart: '5px solid var(--line, currentColor)',
    },
    _after: {
      ...stop({ size: 17, edge: 'fg.onInverted', fill: 'bg.inverted' }),
      insetStart: '0',
      top: '15px',
    },
    '& a, & button': {
      display: 'inline-flex',
      alignItems: 'center',
      gap: '2',
      minH: '12',
      py: '2.5',
      cursor: 'pointer',
      textAlign: 'start',
      _hover: { textDecoration: 'underline', textDecorationThickness: '3px' },
    },
  },
});

/** The business's name across the full width of the footer, unless it is very short. */
function Wordmark() {
  const size = `${(100 / Math.max(3.4, widthOf(site.brand.name))).toFixed(1)}cqi`;
  return (
    <Text
      aria-hidden="true"
      mt="band"
      // A glyph's side bearing grows with its size: without this margin the name would look indented.
      ms="-0.06em"
      fontFamily="display"
      fontWeight="800"
      fontSize={size}
      lineHeight="0.8"
      letterSpacing="-0.04em"
      whiteSpace="nowrap"
    >
      {site.brand.name}
    </Text>
  );
}
