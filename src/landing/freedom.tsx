import { chakra, Heading } from '@chakra-ui/react';
import { site } from '../../site.config.ts';
import { BookingButton } from '../booking/button.tsx';
import { Section } from '../ui/section.tsx';
import { WholeWords } from '../ui/whole-words.tsx';

const { title, action } = site.freedom;

/** A section drawn as a way-out sign: the title, and an arrow from the button to the far edge. */
export function Freedom() {
  return (
    <Section tone="primary">
      <Heading textStyle="h1" maxW="14em" mb="block">
        <WholeWords>{title}</WholeWords>
      </Heading>
      <WayOut>
        <BookingButton button="freedom">{action}</BookingButton>
        <span>
          <svg width="100%" height="48" aria-hidden="true">
            <path d="M-43 3l21 21-21 21m21-21H-2e3" />
          </svg>
        </span>
      </WayOut>
    </Section>
  );
}

const WayOut = chakra('div', {
  base: {
    display: 'flex',
    alignItems: 'center',
    '& span': { flex: '1', containerType: 'inline-size' },
    '& svg': {
      ms: '4',
      fill: 'none',
      stroke: 'currentColor',
      strokeWidth: '6',
      // Hidden where there is no room for the arrow's shaft.
      '@container (max-width: 5em)': { display: 'none' },
    },
    '& path': { transform: 'translateX(100%)' },
  },
});
