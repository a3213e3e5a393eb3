import { chakra } from '@chakra-ui/react';
import { site } from '../../site.config.ts';
import { BookingButton } from '../booking/button.tsx';
import { Photo } from '../ui/photo.tsx';
import { Columns, Lead, Section, Title } from '../ui/section.tsx';
import { portrait } from './photos.ts';
import { Timetable } from './timetable.tsx';

const { title, text, action, photo } = site.about;

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
          <chakra.p mt="7">
            <BookingButton variant="primary" control="about">
              {action}
            </BookingButton>
          </chakra.p>
          {photo && (
            <chakra.div mt="block">
              <Timetable />
            </chakra.div>
          )}
        </div>
        {photo ? (
          <Photo
            address={photo}
            shape={portrait}
            sizes="(min-width: 62em) 28rem, min(30rem, 100vw - 2.5rem)"
            alt={site.brand.name}
          />
        ) : (
          <Timetable />
        )}
      </Columns>
    </Section>
  );
}
