import type { Control } from '../../server/contract/controls.ts';
import { Button, type ButtonLook } from '../ui/button.tsx';

/** The way to the checkout: a link, so that it needs no script. `touches.ts` adds where from. */
export function CheckoutLink({
  control,
  children,
  ...look
}: { control: Control } & Omit<ButtonLook, 'type'>) {
  return (
    <Button {...look} asChild>
      <a href={`/api/checkout?control=${control}`} data-cta={control}>
        {children}
      </a>
    </Button>
  );
}
