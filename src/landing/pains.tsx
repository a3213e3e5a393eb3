import { chakra } from '@chakra-ui/react';
import { site } from '../../site.config.ts';
import { BookingButton } from '../booking/button.tsx';
import { Section, Subtitle, Title } from '../ui/section.tsx';

const { title, cards, action } = site.pains;

/** The visitor's problems, drawn as a departures board. */
export function Pains() {
  return (
    <Section tone="inverted">
      <Terminus aria-hidden="true" />
      <Title pe="12">{title}</Title>
      <Board>
        {cards.map(({ title, text, status }) => (
          <li key={title}>
            <Subtitle>{title}</Subtitle>
            <p>{text}</p>
            <strong>{status}</strong>
          </li>
        ))}
      </Board>
      <BookingButton variant="primary" control="pains">
        {action}
      </BookingButton>
    </Section>
  );
}

/** The buffer where the three lines from the section above end. */
const Terminus = chakra('div', {
  base: {
    position: 'absolute',
    top: '0',
    right: 'gutter',
    w: '22px',
    h: 'calc({spacing.band} + 1.75rem)',
    bgImage:
      'linear-gradient(90deg, {colors.line.green} 4px, transparent 0 9px, {colors.line.red} 0 13px, transparent 0 18px, {colors.line.blue} 0)',
    _after: {
      content: '""',
      position: 'absolute',
      inset: '100% -10px auto',
      h: '6px',
      bg: 'fg.onInk',
    },
  },
});

const Board = chakra('ul', {
  base: {
    display: 'grid',
    gridTemplateColumns: { md: '1fr 1fr' },
    columnGap: '12',
    mb: 'block',
    '& li': {
      display: 'flex',
      flexDirection: 'column',
      alignItems: 'start',
      py: '6',
      borderTop: '1px solid {colors.fg.onInkSoft}',
    },
    '& p': { color: 'fg.onInkSoft', maxW: '30em', mb: '5' },
    '& strong': {
      mt: 'auto',
      px: '2.5',
      py: '0.5',
      textStyle: 'small',
      border: '2px solid',
      color: 'line.red',
    },
  },
});
