import { Box, chakra, Text } from '@chakra-ui/react';
import { photoShapes } from '../../server/contract/photos.ts';
import { site } from '../../site.config.ts';
import { BookingButton } from '../booking/button.tsx';
import { drawn, stop } from '../theme/stop.ts';
import { Photo } from '../ui/photo.tsx';
import { Columns, Lead, Section, Title } from '../ui/section.tsx';

const { title, text, action, photo, timetable } = site.about;

/** The owner's bio, with a portrait if the config has one, and the timetable. */
export function About() {
  return (
    <Section id="about" tone="tint">
      <Columns>
        <div>
          <Title mb="4">{title}</Title>
          {text.map((paragraph) => (
            <Lead key={paragraph} mb="4">
              {paragraph}
            </Lead>
          ))}
          <Text mt="7">
            <BookingButton variant="solid" button="about">
              {action}
            </BookingButton>
          </Text>
        </div>
        {photo && (
          <Box gridRow={{ lg: 'span 2' }}>
            <Photo
              address={photo}
              shape={photoShapes.portrait}
              sizes="(min-width: 62em) 28rem, min(30rem, 100vw - 2.5rem)"
              alt={site.brand.name}
            />
          </Box>
        )}
        <Timetable />
      </Columns>
    </Section>
  );
}

/** The owner's career as a timetable; the visitor's business is the next stop. */
function Timetable() {
  const { title, rows, next } = timetable;
  return (
    <Board>
      <caption>{title}</caption>
      <tbody>
        {[...rows, next].map(({ when, what }) => (
          <tr key={when}>
            <th scope="row">{when}</th>
            <td>{what}</td>
          </tr>
        ))}
      </tbody>
    </Board>
  );
}

const Board = chakra('table', {
  base: {
    w: 'full',
    bg: 'bg',
    border: '4px solid {colors.fg}',
    '& caption': {
      textStyle: 'h4',
      textAlign: 'start',
      px: '6',
      py: '3',
      bg: 'fg',
      color: 'bg',
    },
    '& th, & td': { textAlign: 'start', verticalAlign: 'baseline', py: '3', px: '5' },
    '& th': { fontWeight: '700', pe: '0', whiteSpace: 'nowrap' },
    '& td': {
      position: 'relative',
      ps: '12',
      overflowWrap: 'anywhere',
      // The vertical line from the caption through the stations.
      _before: {
        ...drawn,
        insetStart: '22px',
        insetY: '-4px',
        borderInlineStart: '5px solid',
      },
      _after: {
        ...stop({ size: 17 }),
        insetStart: '16px',
        top: '17px',
      },
    },
    '& tr + tr': { borderTop: '1px solid {colors.hairline}' },
    '& tr:last-of-type': { borderTop: '4px solid {colors.fg}', fontWeight: '700' },
    '& tr:last-of-type td': { _before: { bottom: '50%' }, _after: { bg: 'primary' } },
  },
});
