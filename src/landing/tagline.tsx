import { site } from '../../site.config.ts';
import { Section, Title } from '../ui/section.tsx';
import { Tracks } from '../ui/tracks.tsx';

/** The tagline, beside three lines of the map. */
export function Tagline() {
  return (
    <Section>
      <Tracks />
      <Title as="p" mb="0" pe="12">
        {site.tagline}
      </Title>
    </Section>
  );
}
