import { chakra } from '@chakra-ui/react';
import { site } from '../../site.config.ts';
import { Button } from '../ui/button.tsx';
import { Dialog } from '../ui/dialog.tsx';
import { isPlaceholder } from '../ui/links.ts';
import { NewTabLink } from '../ui/new-tab-link.tsx';
import { type Booking, bookings, mailto } from './schedulers.ts';

const words = site.dialogs;

/** The dialog in which a visitor picks a time; in words alone until its calendar has an address. */
export function BookingDialog({ books }: { books: Booking }) {
  const { title, text, address } = bookings[books];
  return (
    <Dialog id={books} title={title} size={isPlaceholder(address) ? 'text' : 'wide'}>
      <chakra.p color="fg.soft">{text}</chakra.p>
      {isPlaceholder(address) ? (
        <>
          <chakra.p mt="4" mb="5">
            {words.notConnected}
          </chakra.p>
          <Button asChild>
            <a href={mailto(title)}>{site.brand.email}</a>
          </Button>
        </>
      ) : (
        <Calendar books={books} />
      )}
    </Dialog>
  );
}

/** The frame waits in a template: nothing is asked of the calendar's server before the dialog opens. */
function Calendar({ books }: { books: Booking }) {
  const { title, address, width, height } = bookings[books];
  return (
    <>
      <chakra.div minH={`${height}px`} my="4" bg="bg.tint" css={{ '& iframe': { maxW: 'full' } }}>
        <template data-on-open="">
          <iframe
            title={title}
            src={address}
            width={width}
            height={height}
            loading="lazy"
            referrerPolicy="strict-origin-when-cross-origin"
          />
        </template>
      </chakra.div>
      <chakra.p display="flex" flexWrap="wrap" columnGap="3" alignItems="center">
        <Button variant="link" asChild>
          <NewTabLink href={address}>{words.newTab}</NewTabLink>
        </Button>
        <Button variant="link" asChild>
          <a href={mailto(title)}>{words.orEmail}</a>
        </Button>
      </chakra.p>
    </>
  );
}
