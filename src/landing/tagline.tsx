import { chakra } from '@chakra-ui/react';
import { site } from '../../site.config.ts';
import { Section, Title } from '../ui/section.tsx';

/** The tagline, beside three lines of the map. */
export function Tagline() {
  return (
    <Section>
      <Tracks aria-hidden="true" />
      <Title as="p" maxW="18em" mb="0" pe="12">
        {site.tagline}
      </Title>
    </Section>
  );
}

/**
 * Three parallel lines from the window's left edge that turn down at the end of the text. Nested
 * inset shadows draw each line, then the background between it and the next.
 */
const Tracks = chakra('div', {
  base: {
    position: 'absolute',
    inset: '0',
    right: 'gutter',
    borderTopRightRadius: '40px',
    boxShadow:
      'inset -4px 4px {colors.line.blue}, inset -9px 9px {colors.bg}, inset -13px 13px {colors.line.red}, inset -18px 18px {colors.bg}, inset -22px 22px {colors.line.green}',
  },
});
