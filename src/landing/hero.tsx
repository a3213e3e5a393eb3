import { chakra } from '@chakra-ui/react';
import { site } from '../../site.config.ts';
import { BookingButton } from '../booking/button.tsx';
import { Button } from '../ui/button.tsx';
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
          <chakra.h1 textStyle="h1" mb="6">
            <WholeWords>{title}</WholeWords>
          </chakra.h1>
          <Lead>{lead}</Lead>
          <chakra.p display="flex" flexWrap="wrap" columnGap="7" rowGap="2">
            <BookingButton variant="primary" control="hero">
              {action}
            </BookingButton>
            <Button variant="link" asChild>
              <a href="#how-it-works">{link}</a>
            </Button>
          </chakra.p>
        </div>
        <HeroArt />
      </Columns>
      <Facts>
        {facts.map(({ figure, text }, i) => (
          <div key={figure} data-line={lines[i]}>
            <dt>{figure}</dt>
            <dd>{text}</dd>
          </div>
        ))}
      </Facts>
    </Section>
  );
}

const Facts = chakra('dl', {
  base: {
    display: 'grid',
    gridTemplateColumns: { md: 'repeat(3, 1fr)' },
    gap: '6',
    mt: 'block',
    '& > div': { borderTop: '6px solid var(--line)', pt: '3' },
    '& dt': { textStyle: 'service' },
    '& dd': { color: 'fg.muted' },
  },
});
