import { chakra } from '@chakra-ui/react';
import { isPlaceholder } from '../../server/contract/placeholder.ts';
import { site } from '../../site.config.ts';
import { CheckoutLink } from '../attribution/checkout-link.tsx';
import { BookingButton } from '../booking/button.tsx';
import { NewTabLink } from '../ui/new-tab-link.tsx';
import { Columns, Lead, Section, Title } from '../ui/section.tsx';
import { Dial } from './art/dial.tsx';

const { title, lead, promises, action, review, audit } = site.assessment;

/** The free check of the visitor's emails; its picture links to the quiz. */
export function Assessment() {
  return (
    <Section id="assessment">
      <Columns split="even">
        <div>
          <Title mb="4">{title}</Title>
          <Lead>{lead}</Lead>
          <Promises>
            {promises.map(({ title, text }) => (
              <div key={title}>
                <dt>{title}</dt>
                <dd>{text}</dd>
              </div>
            ))}
          </Promises>
        </div>
        <div>
          <NewTabLink href={site.links.quiz} data-cta="assessment" css={picture}>
            <Dial />
            {action}
          </NewTabLink>
          <chakra.p mt="6" mb="3">
            {review.text}
          </chakra.p>
          <BookingButton kind="inbox-review" control="inbox-review">
            {review.action}
          </BookingButton>
          {!isPlaceholder(site.links.checkout) && (
            <p>
              <CheckoutLink control="audit" variant="link">
                {audit}
              </CheckoutLink>
            </p>
          )}
        </div>
      </Columns>
    </Section>
  );
}

const Promises = chakra('dl', {
  base: {
    maxW: '34rem',
    borderBottom: '1px solid {colors.hairline}',
    '& div': { py: '3', borderTop: '1px solid {colors.hairline}' },
    '& dt': { fontWeight: '700' },
    '& dd': { color: 'fg.muted' },
  },
});

const picture = {
  display: 'block',
  maxW: '34rem',
  p: 'clamp(1rem, 3vw, 2rem)',
  bg: 'bg.tint',
  border: '4px solid',
  textStyle: 'h3',
  _hover: { textDecoration: 'underline', textDecorationThickness: '3px' },
  '& svg:first-of-type': { mb: '2' },
  // The arrow takes no width, so that it never wraps onto its own line.
  '& svg + svg': { display: 'inline', m: '0 -1.5rem 0 0.5rem' },
};
