import type { Control } from '../../server/contract/controls.ts';
import { isPlaceholder } from '../../server/contract/placeholder.ts';
import { Button, type ButtonLook } from '../ui/button.tsx';
import { opens } from '../ui/invoker.ts';
import { type Booking, bookings, mailto } from './schedulers.ts';

/**
 * A call-to-action that opens a booking dialog. `control` is the name its clicks are counted under.
 * Without JavaScript the calendar could not appear in the dialog, so a link to it takes the place.
 */
export function BookingButton({
  books = 'strategy-call',
  control,
  children,
  ...look
}: { books?: Booking; control: Control } & ButtonLook) {
  const { address, title } = bookings[books];
  return (
    <>
      <Button {...look} asChild>
        <button {...opens(books)} data-cta={control} data-scripted="">
          {children}
        </button>
      </Button>
      <noscript>
        <Button {...look} asChild>
          <a href={isPlaceholder(address) ? mailto(title) : address}>{children}</a>
        </Button>
      </noscript>
    </>
  );
}
