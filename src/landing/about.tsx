import { chakra } from '@chakra-ui/react';
import { site } from '../../site.config.ts';
import { BookingButton } from '../booking/button.tsx';
import { Columns, Lead, Section, Title } from '../ui/section.tsx';
import { Timetable } from './timetable.tsx';

const { title, text, action, photo } = site.about;

export function About() {
  return (
    <Section id="about" tone="tint">
      <Columns>
        <div>
          <Title>{title}</Title>
          {text.map((paragraph) => (
            <Lead key={paragraph} mb="4">
              {paragraph}
            </Lead>
          ))}
          <chakra.p mt="7">
            <BookingButton variant="sign" control="about">
              {action}
            </BookingButton>
          </chakra.p>
        </div>
        <div>
          {photo && (
            <chakra.img
              src={photo}
              alt={site.brand.name}
              width="480"
              height="600"
              loading="lazy"
              mb="8"
              css={{ aspectRatio: '4/5', objectFit: 'cover' }}
            />
          )}
          <Timetable />
        </div>
      </Columns>
    </Section>
  );
}
