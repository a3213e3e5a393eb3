import { Box, chakra } from '@chakra-ui/react';
import { site } from '../../site.config.ts';
import { BookingButton } from '../booking/button.tsx';
import { stop } from '../theme/stop.ts';
import { Section, Subtitle, Title } from '../ui/section.tsx';
import { SettlingLines } from './art/settling-lines.tsx';

const { title, steps, action } = site.steps;

/** Four steps as stations, joined by lines that become parallel. */
export function Steps() {
  return (
    <Section id="how-it-works">
      <Title>{title}</Title>
      <Box position="relative" mb="block">
        <SettlingLines />
        <Stations>
          {steps.map(({ title, text }) => (
            <li key={title}>
              <Subtitle>{title}</Subtitle>
              <p>{text}</p>
            </li>
          ))}
        </Stations>
      </Box>
      <BookingButton variant="solid" button="steps">
        {action}
      </BookingButton>
    </Section>
  );
}

const Stations = chakra('ol', {
  base: {
    display: 'grid',
    gridTemplateColumns: { lg: 'repeat(4, 1fr)' },
    rowGap: '10',
    ps: { base: '24', lg: '0' },
    pb: { base: '6', lg: '0' },
    '& li': { position: 'relative', pt: { lg: '7rem' }, pe: { lg: '8' } },
    '& p': { color: 'fg.soft', maxW: '24em' },
    '& li::before': {
      ...stop({ size: 40, ring: 6 }),
      insetStart: { base: '-68px', lg: '0' },
      top: { base: '-4px', lg: '30px' },
    },
    '& li:last-child::before': {
      w: { base: '64px', lg: '40px' },
      h: { lg: '64px' },
      insetStart: { base: '-80px', lg: '0' },
      top: { lg: '18px' },
    },
  },
});
