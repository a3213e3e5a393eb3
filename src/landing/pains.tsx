import { Card, chakra, SimpleGrid, Strong } from '@chakra-ui/react';
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
      <SimpleGrid as="ul" columns={{ md: 2 }} columnGap="12" mb="block">
        {cards.map(({ title, text, status }) => (
          <Card.Root
            as="li"
            key={title}
            display="flex"
            flexDirection="column"
            alignItems="start"
            py="6"
            borderTop="1px solid {colors.fg.onInvertedSoft}"
          >
            <Subtitle>{title}</Subtitle>
            <Card.Description color="fg.onInvertedSoft" maxW="30em" mb="5">
              {text}
            </Card.Description>
            <Strong
              mt="auto"
              px="2.5"
              py="0.5"
              textStyle="small"
              border="2px solid"
              color="line.red"
            >
              {status}
            </Strong>
          </Card.Root>
        ))}
      </SimpleGrid>
      <BookingButton variant="solid" button="pains">
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
      bg: 'fg.onInverted',
    },
  },
});
