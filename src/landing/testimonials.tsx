import { chakra } from '@chakra-ui/react';
import { photoShapes } from '../../server/contract/photos.ts';
import { site } from '../../site.config.ts';
import { quotes } from '../../site.defaults.ts';
import { Photo } from '../ui/photo.tsx';
import { Columns, Section, Title } from '../ui/section.tsx';
import { Monogram } from './art/monogram.tsx';

const { title } = site.testimonials;
const lines = ['green', 'blue', 'red'] as const;

/** Three testimonials: the first in large type, two beside it. */
export function Testimonials() {
  return (
    <Section>
      <Title>{title}</Title>
      <Quotes>
        {quotes.map(({ quote, name, role, photo }, i) => (
          <figure key={name} data-line={lines[i % lines.length]}>
            <blockquote>“{quote}”</blockquote>
            <figcaption>
              {photo ? (
                <Photo
                  address={photo}
                  shape={photoShapes.face}
                  sizes="64px"
                  alt=""
                  borderRadius="50%"
                />
              ) : (
                <Monogram name={name} isDiagonal={i % 2 === 0} />
              )}
              <p>
                <strong>{name}</strong>
                <br />
                {role}
              </p>
            </figcaption>
          </figure>
        ))}
      </Quotes>
    </Section>
  );
}

const Quotes = chakra(Columns, {
  base: {
    // Hanging punctuation: the opening quote stands left of the text's edge.
    '& blockquote': { textStyle: 'lead', mb: '6', textIndent: '-0.42em' },
    '& figure:first-of-type': { gridRow: { lg: 'span 2' } },
    '& figure:first-of-type blockquote': { textStyle: 'quote' },
    '& figure': { borderTop: '6px solid var(--line)', pt: '5' },
    '& figcaption': { display: 'flex', gap: '4', alignItems: 'center', color: 'fg.muted' },
    '& p': { textStyle: 'small' },
    '& strong': { color: 'fg' },
  },
});
