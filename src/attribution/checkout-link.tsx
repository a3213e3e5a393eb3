import type { Control } from '../../server/contract/controls.ts';
import { isIgnoredReferrer } from '../../server/contract/referral.ts';
import { site } from '../../site.config.ts';
import { Button, type ButtonLook } from '../ui/button.tsx';

/** The hosts of the checkout and the calendars: whoever comes back from there was here before. */
const own = new Set(
  [site.links.checkout, ...Object.values(site.schedulers)]
    .flatMap((address) => (URL.canParse(address) ? new URL(address).hostname : []))
    .map((host) => host.replace(/^www\./, ''))
    .filter((host) => !isIgnoredReferrer(host, [])),
);

/** The way to the checkout: a link, so that it needs no script. `attribution.ts` adds who sent the visitor. */
export function CheckoutLink({
  control,
  children,
  ...look
}: { control: Control } & Omit<ButtonLook, 'type'>) {
  return (
    <Button {...look} asChild>
      <a href="/api/checkout" data-cta={control} data-own={[...own].join(' ')}>
        {children}
      </a>
    </Button>
  );
}
