import { Button, type ButtonProps } from '@chakra-ui/react';
import type { ButtonName } from '../../server/contract/api.ts';
import { openProps } from '../ui/invoker.ts';
import { type BookingKind, bookings } from './schedulers.ts';

/**
 * A call-to-action that opens a booking dialog. `button` is the name under which its clicks are
 * counted. Without JavaScript the dialog has no calendar, so a link to the calendar replaces the button.
 */
export function BookingButton({
  kind = 'strategy-call',
  button,
  children,
  ...styleProps
}: { kind?: BookingKind; button: ButtonName } & ButtonProps) {
  const { address } = bookings[kind];
  return (
    <>
      <Button {...styleProps} asChild>
        <button {...openProps(kind)} data-cta={button} data-scripted="">
          {children}
        </button>
      </Button>
      <noscript>
        <Button {...styleProps} asChild>
          <a href={address}>{children}</a>
        </Button>
      </noscript>
    </>
  );
}
