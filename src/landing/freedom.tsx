import { chakra } from '@chakra-ui/react';
import { site } from '../../site.config.ts';
import { BookingButton } from '../booking/button.tsx';
import { Section } from '../ui/section.tsx';

const { title, action } = site.freedom;

/** A way-out sign: what it says, and an arrow from its button to the far side. */
export function Freedom() {
  return (
    <Section tone="sign">
      <chakra.h2 textStyle="h1" maxW="14em" mb="block">
        {title}
      </chakra.h2>
      <WayOut>
        <BookingButton control="freedom">{action}</BookingButton>
        <svg viewBox="0 0 30 48" width="30" height="48" aria-hidden="true">
          <path d="M3 3l21 21L3 45" fill="none" stroke="currentColor" strokeWidth="6" />
        </svg>
      </WayOut>
    </Section>
  );
}

const WayOut = chakra('div', {
  base: {
    display: 'flex',
    alignItems: 'center',
    '& svg': { order: '1', ms: '-24px', flexShrink: '0' },
    _after: { content: '""', flex: '1', ms: '4', borderTop: '6px solid' },
  },
});
