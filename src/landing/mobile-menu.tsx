import { chakra } from '@chakra-ui/react';
import { site } from '../../site.config.ts';
import { BookingButton } from '../booking/button.tsx';
import { Button } from '../ui/button.tsx';
import { openProps } from '../ui/invoker.ts';
import { ServiceLinks } from './menu.tsx';
import { MenuEntry, Sheet } from './menu-parts.ts';

const copy = site.header;

/** The menu of narrow screens: a panel below the header. */
export function MobileMenu() {
  return (
    <chakra.div display={{ lg: 'none' }} flexShrink="0">
      <Button asChild>
        <button
          type="button"
          popoverTarget="mobile-menu"
          aria-expanded="false"
          aria-controls="mobile-menu"
        >
          {site.labels.menu}
        </button>
      </Button>
      <Sheet
        as="nav"
        id="mobile-menu"
        popover=""
        aria-label={site.labels.menu}
        w="full"
        px="gutter"
        borderX="0"
      >
        <ul>
          <li>
            <MenuEntry href="/">{copy.home}</MenuEntry>
          </li>
          <ServiceLinks />
          <li>
            <MenuEntry href="/#about">{copy.about}</MenuEntry>
          </li>
          <li>
            <MenuEntry asChild>
              <button {...openProps('contact')} data-cta="contact">
                {copy.contact}
              </button>
            </MenuEntry>
          </li>
        </ul>
        <chakra.div display="grid" my="3">
          <BookingButton variant="primary" control="menu">
            {copy.start}
          </BookingButton>
        </chakra.div>
      </Sheet>
    </chakra.div>
  );
}
