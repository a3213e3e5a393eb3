import type { Control } from '../../server/contract/controls.ts';
import { isPlaceholder } from '../../server/contract/placeholder.ts';
import { Button, type ButtonStyleProps } from '../ui/button.tsx';
import { openProps } from '../ui/invoker.ts';
import { type BookingKind, bookings, mailto } from './schedulers.ts';

/**
 * A call-to-action that opens a booking dialog. `control` is the name under which its clicks are
 * counted. Without JavaScript the dialog has no calendar, so a link to the calendar replaces the button.
 */
export function BookingButton({
  kind = 'strategy-call',
  control,
  children,
  ...styleProps
}: { kind?: BookingKind; control: Control } & ButtonStyleProps) {
  const { address, title } = bookings[kind];
  return (
    <>
      <Button {...styleProps} asChild>
        <button {...openProps(kind)} data-cta={control} data-scripted="">
          {children}
        </button>
      </Button>
      <noscript>
        <Button {...styleProps} asChild>
          <a href={isPlaceholder(address) ? mailto(title) : address}>{children}</a>
        </Button>
      </noscript>
    </>
  );
}
