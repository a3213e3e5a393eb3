import { Box, Button, Text } from '@chakra-ui/react';
import type { ReactNode } from 'react';
import { site } from '../../site.config.ts';
import { Dialog } from '../ui/dialog.tsx';
import { NewTabLink } from '../ui/new-tab-link.tsx';
import { type BookingKind, bookings, mailto } from './schedulers.ts';

const copy = site.dialogs;

/**
 * The dialog in which a visitor picks a time, on a page of this site or of a calendar elsewhere. With a
 * calendar elsewhere it is text only while that refuses framing: the
 * prerendered page has both versions, and the server sends one of them
 * (`server/http/pages/template.ts`).
 */
export function BookingDialog({ kind }: { kind: BookingKind }) {
  const { address, unframed } = bookings[kind];
  if (address.startsWith('/')) return <OwnCalendarDialog kind={kind} />;
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

/** The frame fills the dialog, so that only the page in it scrolls. */
function OwnCalendarDialog({ kind }: { kind: BookingKind }) {
  const { title, text, address } = bookings[kind];
  return (
    <Dialog id={kind} title={title} size="frame">
      <Text color="fg.soft" mb="4">
        {text}
      </Text>
      <template data-on-open="">
        <iframe title={title} src={address} />
      </template>
    </Dialog>
  );
}

/** The frame is inside a template, so that the calendar loads only when the dialog opens. */
function CalendarDialog({ kind }: { kind: BookingKind }) {
  const { title, text, address, service, width, height } = bookings[kind];
  return (
    <Dialog id={kind} title={title} size="wide">
      <Text color="fg.soft">{text}</Text>
      <Box
        position="relative"
        isolation="isolate"
        minH={`${height}px`}
        mt="4"
        bg="bg.tint"
        css={{
          '& iframe': { display: 'block', maxW: 'full' },
          // The loading text is behind the frame until the frame has loaded.
          '& p': {
            position: 'absolute',
            inset: '0',
            zIndex: '-1',
            display: 'grid',
            placeItems: 'start center',
            pt: '24',
          },
          '& [data-loaded] + p': { display: 'none' },
        }}
      >
        <template data-on-open="">
          <iframe
            title={title}
            src={address}
            data-webhook={service && `{{${service}Webhook}}`}
            width={width}
            height={height}
            loading="lazy"
            allow="payment"
            referrerPolicy="strict-origin-when-cross-origin"
          />
          <p>{copy.loading}</p>
        </template>
      </Box>
      <Box position="sticky" bottom="-6" mb="-6" py="3" bg="bg">
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
    </Dialog>
  );
}

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
        <a href={mailto(title)}>{copy.orEmail}</a>
      </Button>
    </Text>
  );
}
