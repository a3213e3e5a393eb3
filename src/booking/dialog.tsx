import { Box, Button, Text } from '@chakra-ui/react';
import type { ReactNode } from 'react';
import { mailto } from '../../server/contract/mailto.ts';
import { site } from '../../site.config.ts';
import { offline } from '../../site.defaults.ts';
import { Dialog } from '../ui/dialog.tsx';
import { NewTabLink } from '../ui/new-tab-link.tsx';
import { type BookingKind, bookings } from './schedulers.ts';

const copy = site.dialogs;

/**
 * The dialog in which a visitor picks a time, on a page of this site or of a calendar elsewhere. With a
 * calendar elsewhere it is text only while that refuses framing: the
 * prerendered page has both versions, and the server sends one of them
 * (`server/http/pages/template.ts`).
 */
export function BookingDialog({ kind }: { kind: BookingKind }) {
  const { address, unframed } = bookings[kind];
  if (address.startsWith('/')) return <CalendarDialog kind={kind} />;
  return (
    <>
      {`{{^${unframed}}}`}
      <CalendarDialog kind={kind} />
      {`{{/${unframed}}}{{#${unframed}}}`}
      <TextDialog kind={kind} message={copy.unframed}>
        <Alternatives kind={kind} variant="solid" />
      </TextDialog>
      {`{{/${unframed}}}`}
    </>
  );
}

function TextDialog({
  kind,
  message,
  children,
}: {
  kind: BookingKind;
  message: string;
  children: ReactNode;
}) {
  const { title, text } = bookings[kind];
  return (
    <Dialog id={kind} title={title}>
      <Text color="fg.soft">{text}</Text>
      <Text mt="4" mb="5">
        {message}
      </Text>
      {children}
    </Dialog>
  );
}

/**
 * The calendar in a frame of its size, which only narrow windows reduce. The frame is inside a template, so
 * that the calendar loads only when the dialog opens.
 */
function CalendarDialog({ kind }: { kind: BookingKind }) {
  const { title, text, address, service, width, height } = bookings[kind];
  const isOwn = address.startsWith('/');
  return (
    <Dialog id={kind} title={title} size="wide">
      <Text color="fg.soft">{text}</Text>
      <Box
        position="relative"
        isolation="isolate"
        minH={`${height}px`}
        mt="4"
        bg={isOwn ? undefined : 'bg.tint'}
        css={{
          '& iframe': { display: 'block', maxW: 'full' },
          // The text is behind the frame until the frame has loaded; `frames.ts` sets these attributes.
          '& p': {
            position: 'absolute',
            inset: '0',
            zIndex: '-1',
            display: 'grid',
            placeContent: 'start center',
            pt: '24',
          },
          '& a': { textDecoration: 'underline' },
          '& [data-failed]': { visibility: 'hidden' },
          '& :is([data-loaded], [data-failed]) + p': { display: 'none' },
          '& iframe:not([data-failed]) ~ [role=alert]': { display: 'none' },
        }}
      >
        <template data-on-open="">
          <iframe
            title={title}
            src={address}
            width={width}
            height={height}
            {...(!isOwn && {
              'data-webhook': service && `{{${service}Webhook}}`,
              loading: 'lazy',
              allow: 'payment',
              referrerPolicy: 'strict-origin-when-cross-origin',
            })}
          />
          <p>{copy.loading}</p>
          <p role="alert">
            <span>{offline.calendar}</span>
            <a href={mailto(site.brand.email, { subject: title })}>{site.brand.email}</a>
          </p>
        </template>
      </Box>
      {!isOwn && <Foot kind={kind} />}
    </Dialog>
  );
}

/** Beneath a calendar elsewhere, which may refuse the frame: what to do then. */
const Foot = ({ kind }: { kind: BookingKind }) => (
  <Box
    position="relative"
    mb="-6"
    py="3"
    bg="bg"
    css={{
      // Where that leaves enough of a low window to the calendar.
      '@media (min-height: 30em)': { position: 'sticky', bottom: '-6' },
    }}
  >
    <Text
      role="status"
      data-late={copy.late}
      // The notice covers the foot of the empty frame, so that it shifts nothing.
      css={{
        '& span': { position: 'absolute', bottom: '100%', insetInline: '0', py: '2', bg: 'bg' },
      }}
    />
    <Alternatives kind={kind} variant="plain" />
  </Box>
);

/** Links for booking without the frame: the calendar in a new tab, and an email. */
function Alternatives({ kind, variant }: { kind: BookingKind; variant: 'solid' | 'plain' }) {
  const { title, address, service } = bookings[kind];
  return (
    <Text display="flex" flexWrap="wrap" columnGap="3" alignItems="center">
      <Button variant={variant} asChild>
        <NewTabLink href={address} data-webhook={service && `{{${service}Webhook}}`}>
          {copy.newTab}
        </NewTabLink>
      </Button>
      <Button variant="plain" asChild>
        <a href={mailto(site.brand.email, { subject: title })}>{copy.orEmail}</a>
      </Button>
    </Text>
  );
}
