import { chakra } from '@chakra-ui/react';
import { About } from './about.tsx';
import { Assessment } from './assessment.tsx';
import { Costs } from './costs.tsx';
import { Dialogs } from './dialogs.tsx';
import { Faq } from './faq.tsx';
import { Footer } from './footer.tsx';
import { Frame } from './frame.tsx';
import { Freedom } from './freedom.tsx';
import { Hero } from './hero.tsx';
import { Pains } from './pains.tsx';
import { Services } from './services.tsx';
import { Steps } from './steps.tsx';
import { Tagline } from './tagline.tsx';
import { Testimonials } from './testimonials.tsx';

/**
 * The first frame lays out what it shows, and the two after it the rest: a phone has its first words
 * sooner, and is never busy for long. Where contents cannot be animated they are there at once.
 */
const Main = chakra('main', {
  base: {
    '& > section:nth-of-type(n+3), & ~ footer': {
      animation: 'arrive 1ms backwards',
      // Until then: about what they will have.
      containIntrinsicHeight: '50rem',
    },
    '& > section:nth-of-type(n+7), & ~ footer': { animationDelay: '50ms' },
  },
});

/** The landing page: twelve sections, in this order. */
export function LandingPage() {
  return (
    <Frame>
      <Main id="main">
        <Hero />
        <Tagline />
        <Pains />
        <Freedom />
        <Costs />
        <Testimonials />
        <Services />
        <About />
        <Steps />
        <Faq />
        <Assessment />
      </Main>
      <Footer />
      <Dialogs quiz />
    </Frame>
  );
}
