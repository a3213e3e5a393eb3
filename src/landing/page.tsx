import { site } from '../../site.config.ts';
import { quotes } from '../../site.defaults.ts';
import { isPlaceholder } from '../../site.placeholder.ts';
import { About } from './about.tsx';
import { Assessment } from './assessment.tsx';
import { Costs } from './costs.tsx';
import { Faq } from './faq.tsx';
import { Freedom } from './freedom.tsx';
import { Hero } from './hero.tsx';
import { PageLayout } from './page-layout.tsx';
import { Pains } from './pains.tsx';
import { Services } from './services.tsx';
import { Steps } from './steps.tsx';
import { Tagline } from './tagline.tsx';
import { Testimonials } from './testimonials.tsx';

/** The landing page: its sections in order; the layout adds the last one, the footer. */
export function LandingPage() {
  return (
    <PageLayout quiz={!isPlaceholder(site.links.quiz)}>
      <Hero />
      <Tagline />
      <Pains />
      <Freedom />
      <Costs />
      {quotes.length > 0 && <Testimonials />}
      <Services />
      <About />
      <Steps />
      <Faq />
      <Assessment />
    </PageLayout>
  );
}
