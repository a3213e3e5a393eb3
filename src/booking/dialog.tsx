import { chakra } from '@chakra-ui/react';
import type { ReactNode } from 'react';
import { isPlaceholder } from '../../server/contract/placeholder.ts';
import { site } from '../../site.config.ts';
import { Button } from '../ui/button.tsx';
import { Dialog } from '../ui/dialog.tsx';
import { NewTabLink } from '../ui/new-tab-link.tsx';
import { type Booking, bookings, mailto } from './schedulers.ts';

const words = site.dialogs;

/**
 * The dialog in which a visitor picks a time; in words alone until its calendar has an address, and
 * while the server knows that the calendar cannot be shown in a frame. The page holds both forms
 * then, and the server sends one (`server/http/template.ts`).
 */
export function BookingDialog({ books }: { books: Booking }) {
  const { title, address, unframed } = bookings[books];
  if (isPlaceholder(address)) {
    return (
      <WordsDialog books={books} words={words.notConnected}>
        <Button asChild>
          <a href={mailto(title)}>{site.brand.email}</a>
        </Button>
      </WordsDialog>
    );
  }
  return (
    <>
      {`{{^${unframed}}}`}
      <CalendarDialog books={books} />
      {`{{/${unframed}}}{{#${unframed}}}`}
      <WordsDialog books={books} words={words.unframed}>
        <WaysAround books={books} variant="sign" />
      </WordsDialog>
      {`{{/${unframed}}}`}
    </>
  );
}

function WordsDialog({
  books,
  words,
  children,
}: {
  books: Booking;
  words: string;
  children: ReactNode;
}) {
  const { title, text } = bookings[books];
  return (
    <Dialog id={books} title={title}>
      <chakra.p color="fg.soft">{text}</chakra.p>
      <chakra.p mt="4" mb="5">
        {words}
      </chakra.p>
      {children}
    </Dialog>
  );
}

/** The frame waits in a template: nothing is asked of the calendar's server before the dialog opens. */
function CalendarDialog({ books }: { books: Booking }) {
  const { title, text, address, width, height } = bookings[books];
  return (
    <Dialog id={books} title={title} size="wide">
      <chakra.p color="fg.soft">{text}</chakra.p>
      <chakra.div
        position="relative"
        isolation="isolate"
        minH={`${height}px`}
        mt="4"
        bg="bg.tint"
        css={{
          '& iframe': { display: 'block', maxW: 'full' },
          // Behind the frame, until that is there.
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
          <p>{words.loading}</p>
        </template>
      </chakra.div>
      <chakra.div position="sticky" bottom="-6" mb="-6" py="3" bg="bg">
        <chakra.p
          role="status"
          data-late={words.late}
          // Over the foot of the empty frame: nothing moves when it comes.
          css={{
            '& span': { position: 'absolute', bottom: '100%', insetInline: '0', py: '2', bg: 'bg' },
          }}
        />
        <WaysAround books={books} variant="link" />
      </chakra.div>
    </Dialog>
  );
}

/** The ways to a time without the frame: the calendar in a new tab, and a mail. */
function WaysAround({ books, variant }: { books: Booking; variant: 'sign' | 'link' }) {
  const { title, address } = bookings[books];
  return (
    <chakra.p display="flex" flexWrap="wrap" columnGap="3" alignItems="center">
      <Button variant={variant} asChild>
        <NewTabLink href={address}>{words.newTab}</NewTabLink>
      </Button>
      <Button variant="link" asChild>
        <a href={mailto(title)}>{words.orEmail}</a>
      </Button>
    </chakra.p>
  );
}
