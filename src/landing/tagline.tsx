import { site } from '../../site.config.ts';
import { Section, Title } from '../ui/section.tsx';
import { Tracks } from '../ui/tracks.tsx';

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
