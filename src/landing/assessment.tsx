import { DataList, Text } from '@chakra-ui/react';
import { site } from '../../site.config.ts';
import { isPlaceholder } from '../../site.placeholder.ts';
import { CheckoutLink } from '../attribution/checkout-link.tsx';
import { BookingButton } from '../booking/button.tsx';
import { NewTabLink } from '../ui/new-tab-link.tsx';
import { Columns, Lead, Section, Title } from '../ui/section.tsx';
import { Dial } from './art/dial.tsx';
import { OptInForm } from './opt-in-form.tsx';

const { title, lead, promises, action, review, audit } = site.assessment;

/** The free check of the visitor's emails; its picture links to the quiz. */
export function Assessment() {
  return (
    <Section id="assessment">
      <Columns split="even">
        <div>
          <Title mb="4">{title}</Title>
          <Lead>{lead}</Lead>
          <DataList.Root maxW="34rem" borderBottom="1px solid {colors.hairline}">
            {promises.map(({ title, text }) => (
              <DataList.Item key={title} py="3" borderTop="1px solid {colors.hairline}">
                <DataList.ItemLabel fontWeight="700">{title}</DataList.ItemLabel>
                <DataList.ItemValue color="fg.muted">{text}</DataList.ItemValue>
              </DataList.Item>
            ))}
          </DataList.Root>
        </div>
        <div>
          <NewTabLink href={site.links.quiz} data-cta="assessment" css={picture}>
            <Dial />
            {action}
          </NewTabLink>
          <Text mt="6" mb="3">
            {review.text}
          </Text>
          <BookingButton kind="inbox-review" button="inbox-review">
            {review.action}
          </BookingButton>
          {!isPlaceholder(site.links.checkout) && (
            <p>
              <CheckoutLink button="audit" variant="plain">
                {audit}
              </CheckoutLink>
            </p>
          )}
        </div>
      </Columns>
      <OptInForm />
    </Section>
  );
}

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
