/**
 * The page on which a visitor books a call: the free times, and the form. The server fills the `{{…}}`
 * variables and answers the form; the page needs no script.
 */

import { Box, Button, chakra, Flex, Heading, Input, Link, Text, Textarea } from '@chakra-ui/react';
import type { ReactNode } from 'react';
import { mailto } from '../../../server/contract/mailto.ts';
import type { BookVariables } from '../../../server/contract/pages.ts';
import { site } from '../../../site.config.ts';
import { Field } from '../../ui/field.tsx';
import { Honeypot } from '../../ui/honeypot-field.tsx';
import { words } from '../../ui/site-words.ts';
import { templateOf } from '../../ui/template.tsx';
import { type BookingKind, bookings } from '../schedulers.ts';
import { Days } from './days.tsx';
import { BookingLayout, ErrorMessage, OfflineNotice, PageTitle, Rule } from './layout.tsx';
import { ZoneForm } from './zone-form.tsx';

const copy = words.bookingPages;

const { value, If, Unless } = templateOf<BookVariables>();

/** One or two columns: the frame of the dialog is as wide as a small window. */
const phone = '@media (max-width: 39.99em)';
const desktop = '@media (min-width: 40em)';

export function BookPage({ kind }: { kind: BookingKind }) {
  const { title, text } = bookings[kind];
  return (
    <BookingLayout
      name={title}
      title={
        <Unless name="isFramed">
          <PageTitle>{title}</PageTitle>
          <Text color="fg.soft" mb="5">
            {text}
          </Text>
        </Unless>
      }
    >
      <ErrorMessage />
      <PickTime
        otherwise={
          <Button variant="solid" asChild>
            <a href={mailto(site.brand.email, { subject: title })} target="_top">
              {site.brand.email}
            </a>
          </Button>
        }
      >
        <BookForm title={title} />
      </PickTime>
    </BookingLayout>
  );
}

const BookForm = ({ title }: { title: string }) => (
  <Box>
    <Box css={{ [phone]: { display: 'none' } }} data-scripted="">
      <Rule />
      <Heading as="h2" textStyle="h4" data-chosen="">
        {copy.choose}
      </Heading>
    </Box>
    <Text textStyle="small" color="fg.muted" mb="4" data-first-free="">
      {copy.firstFree} {value('firstFree')}
    </Text>
    <Flex direction="column" gap="4" mb="5">
      <Field label={words.contactPages.name}>
        <Input name="name" autoComplete="name" required defaultValue={value('name')} />
      </Field>
      <Field label={words.contactPages.email}>
        <Input
          name="email"
          type="email"
          autoComplete="email"
          required
          defaultValue={value('email')}
        />
      </Field>
      <Field label={`${copy.note} (${copy.optional})`}>
        <Textarea name="note" rows={2} defaultValue={value('note')} />
      </Field>
    </Flex>
    <Honeypot />
    {(['stamp', 'timeZone', 'search', 'referrer', 'button', 'confirmed'] as const).map((name) => (
      <input key={name} type="hidden" name={name} defaultValue={value(name)} />
    ))}
    <Foot action={copy.book} />
    <Text textStyle="small" color="fg.muted" mt="3" mb="6">
      {copy.promise}{' '}
      <Link href={mailto(site.brand.email, { subject: title })} target="_top" variant="underline">
        {copy.noTime}
      </Link>
    </Text>
  </Box>
);

/** The chosen time and the button: on phones they stay at the bottom of the window, unless it is low. */
export const Foot = ({ action }: { action: string }) => (
  <>
    <OfflineNotice />
    <Bottom>
      <Box
        css={{ [desktop]: { display: 'none' } }}
        fontWeight="600"
        lineHeight="1.3"
        data-scripted=""
      >
        <span data-chosen="">{copy.choose}</span>
      </Box>
      <Button type="submit" variant="solid" css={{ [desktop]: { w: 'full' } }} flexShrink="0">
        {action}
      </Button>
    </Bottom>
  </>
);

const Bottom = chakra('div', {
  base: {
    display: 'flex',
    alignItems: 'center',
    justifyContent: 'space-between',
    gap: '3',
    [phone]: { minH: '64px', py: '2', bg: 'bg', borderTop: '2px solid {colors.fg}' },
    // In a low window it would cover what it is for.
    [`${phone} and (min-height: 30em)`]: { position: 'sticky', bottom: '0' },
  },
});

/**
 * The free times on the left, the fields of their form on the right; on phones below one another. Without free
 * times a sentence that says so, and `otherwise`.
 */
export const PickTime = ({
  children,
  otherwise,
}: {
  children: ReactNode;
  otherwise?: ReactNode;
}) => (
  <>
    <ZoneForm />
    <If name="hasDays">
      <Columns method="post" action={value('action')}>
        <Box>
          <Days />
        </Box>
        {children}
      </Columns>
    </If>
    <Unless name="hasDays">
      <Text maxW="36em" mb="5">
        {copy.none}
      </Text>
      {otherwise}
    </Unless>
  </>
);

const Columns = chakra('form', {
  base: {
    '&:has(:checked)': { '--rule': 'colors.line.blue' },
    '&:has(:checked) [data-first-free]': { visibility: 'hidden' },
    [desktop]: {
      display: 'grid',
      gridTemplateColumns: '7fr 6fr',
      columnGap: 'clamp(1.5rem, 4vw, 4rem)',
      alignItems: 'start',
      '& > :last-child': { position: 'sticky', top: '0' },
    },
    // The button sticks to the window while any part of the form is in it.
    [phone]: { '& > :last-child': { display: 'contents' } },
  },
});
