import { Button, type ButtonProps } from '@chakra-ui/react';
import type { ButtonName } from '../../server/contract/api.ts';
import { isIgnoredReferrer } from '../../server/contract/referral.ts';
import { site } from '../../site.config.ts';

/** Hosts of the checkout and the calendars: a visitor who returns from one of them is not a referral. */
const ownHosts = new Set(
  [site.links.checkout, ...Object.values(site.schedulers)]
    .flatMap((address) => (URL.canParse(address) ? new URL(address).hostname : []))
    .map((host) => host.replace(/^www\./, ''))
    .filter((host) => !isIgnoredReferrer(host, [])),
);

/** A link to the checkout, which works without a script. `attribution.ts` adds the referral to its URL. */
export function CheckoutLink({
  button,
  children,
  ...styleProps
}: { button: ButtonName } & Omit<ButtonProps, 'type'>) {
  return (
    <Button {...styleProps} asChild>
      <a href="/api/checkout" data-cta={button} data-own={[...ownHosts].join(' ')}>
        {children}
      </a>
    </Button>
  );
}
