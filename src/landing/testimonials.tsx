import { chakra } from '@chakra-ui/react';
import { site } from '../../site.config.ts';
import { Columns, Section } from '../ui/section.tsx';
import { Monogram } from './art/monogram.tsx';

const { title, quotes } = site.testimonials;
const lines = ['green', 'blue', 'red'] as const;

/** Three clients: one in large letters, two beside. */
export function Testimonials() {
  return (
    <Section>
      <chakra.h2 textStyle="h4" color="fg.muted" mb="6">
        {title}
      </chakra.h2>
      <Quotes>
        {quotes.map(({ quote, name, role, photo }, i) => (
          <figure key={name} data-line={lines[i]}>
            <blockquote>“{quote}”</blockquote>
            <figcaption>
              {photo ? (
                <img src={photo} alt="" width="64" height="64" loading="lazy" />
              ) : (
                <Monogram name={name} />
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
    '& blockquote': { textStyle: 'lead', mb: '6' },
    '& figure:first-of-type': { gridRow: { lg: 'span 2' } },
    '& figure:first-of-type blockquote': { textStyle: 'quote' },
    '& figure + figure': { borderTop: '6px solid var(--line)', pt: '5' },
    '& figcaption': { display: 'flex', gap: '4', alignItems: 'center', color: 'fg.muted' },
    '& p': { textStyle: 'small' },
    '& strong': { color: 'fg' },
    '& img': { objectFit: 'cover', borderRadius: '50%' },
  },
});
