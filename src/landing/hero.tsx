import { Box, Button, Heading, SimpleGrid, Text } from '@chakra-ui/react';
import { site } from '../../site.config.ts';
import { BookingButton } from '../booking/button.tsx';
import { Columns, Lead, Section } from '../ui/section.tsx';
import { WholeWords } from '../ui/whole-words.tsx';
import { HeroArt } from './art/hero-art.tsx';

const { title, lead, action, link, facts } = site.hero;
const lines = ['blue', 'red', 'green'] as const;

/** The first section: the title, the booking action, the drawing and three facts. */
export function Hero() {
  return (
    <Section py="block">
      <Columns split="even" alignItems="center">
        <div>
          <Heading as="h1" textStyle="h1" mb="6">
            <WholeWords>{title}</WholeWords>
          </Heading>
          <Lead>{lead}</Lead>
          <Text display="flex" flexWrap="wrap" columnGap="7" rowGap="2">
            <BookingButton variant="solid" button="hero">
              {action}
            </BookingButton>
            <Button variant="plain" asChild>
              <a href="#how-it-works">{link}</a>
            </Button>
          </Text>
        </div>
        <HeroArt />
      </Columns>
      <SimpleGrid as="dl" columns={{ md: 3 }} gap="6" mt="block">
        {facts.map(({ figure, text }, i) => (
          <Box key={figure} data-line={lines[i]} borderTop="6px solid var(--line)" pt="3">
            <Text as="dt" textStyle="service">
              {figure}
            </Text>
            <Text as="dd" color="fg.muted">
              {text}
            </Text>
          </Box>
        ))}
      </SimpleGrid>
    </Section>
  );
}
