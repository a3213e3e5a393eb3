import { chakra } from '@chakra-ui/react';
import type { ReactNode } from 'react';
import { isPlaceholder } from '../../server/contract/placeholder.ts';
import { site } from '../../site.config.ts';
import { Button } from '../ui/button.tsx';
import { Dialog } from '../ui/dialog.tsx';
import { NewTabLink } from '../ui/new-tab-link.tsx';
import { type BookingKind, bookings, mailto } from './schedulers.ts';

const copy = site.dialogs;

/**
 * The dialog in which a visitor picks a time. It is text only if its calendar has no URL, and while
 * the calendar refuses framing: the prerendered page has both versions, and the server sends one of
 * them (`server/http/template.ts`).
 */
export function BookingDialog({ kind }: { kind: BookingKind }) {
  const { title, address, unframed } = bookings[kind];
  if (isPlaceholder(address)) {
    return (
      <TextDialog kind={kind} message={copy.notConnected}>
        <Button asChild>
          <a href={mailto(title)}>{site.brand.email}</a>
        </Button>
      </TextDialog>
    );
  }
  return (
    <>
      {`{{^${unframed}}}`}
      <CalendarDialog kind={kind} />
      {`{{/${unframed}}}{{#${unframed}}}`}
      <TextDialog kind={kind} message={copy.unframed}>
        <Alternatives kind={kind} variant="primary" />
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
      <chakra.p color="fg.soft">{text}</chakra.p>
      <chakra.p mt="4" mb="5">
        {message}
      </chakra.p>
      {children}
    </Dialog>
  );
}

/** The frame is inside a template, so that the calendar loads only when the dialog opens. */
function CalendarDialog({ kind }: { kind: BookingKind }) {
  const { title, text, address, width, height } = bookings[kind];
  return (
    <Dialog id={kind} title={title} size="wide">
      <chakra.p color="fg.soft">{text}</chakra.p>
      <chakra.div
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
            width={width}
            height={height}
            loading="lazy"
            allow="payment"
            referrerPolicy="strict-origin-when-cross-origin"
          />
          <p>{copy.loading}</p>
        </template>
      </chakra.div>
      <chakra.div position="sticky" bottom="-6" mb="-6" py="3" bg="bg">
        <chakra.p
          role="status"
          data-late={copy.late}
          // The notice covers the foot of the empty frame, so that it shifts nothing.
          css={{
            '& span': { position: 'absolute', bottom: '100%', insetInline: '0', py: '2', bg: 'bg' },
          }}
        />
        <Alternatives kind={kind} variant="link" />
      </chakra.div>
    </Dialog>
  );
}

/** Links for booking without the frame: the calendar in a new tab, and an email. */
function Alternatives({ kind, variant }: { kind: BookingKind; variant: 'primary' | 'link' }) {
  const { title, address } = bookings[kind];
  return (
    <chakra.p display="flex" flexWrap="wrap" columnGap="3" alignItems="center">
      <Button variant={variant} asChild>
        <NewTabLink href={address}>{copy.newTab}</NewTabLink>
      </Button>
      <Button variant="link" asChild>
        <a href={mailto(title)}>{copy.orEmail}</a>
      </Button>
    </chakra.p>
  );
}
