import type { Control } from '../../server/contract/controls.ts';
import { site } from '../../site.config.ts';
import { Button, type ButtonLook } from '../ui/button.tsx';

/** Whoever comes back from there was here before. */
const passages = [site.links.checkout, ...Object.values(site.schedulers)]
  .flatMap((address) => (URL.canParse(address) ? new URL(address).hostname : []))
  .map((host) => host.replace(/^www\./, ''));

/** The way to the checkout: a link, so that it needs no script. `touches.ts` adds who sent the visitor. */
export function CheckoutLink({
  control,
  children,
  ...look
}: { control: Control } & Omit<ButtonLook, 'type'>) {
  return (
    <Button {...look} asChild>
      <a
        href={`/api/checkout?control=${control}`}
        data-cta={control}
        data-passages={passages.join(' ')}
      >
        {children}
      </a>
    </Button>
  );
}
