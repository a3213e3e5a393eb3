import { chakra } from '@chakra-ui/react';
import { site } from '../../site.config.ts';
import { BookingButton } from '../booking/button.tsx';
import { Button } from '../ui/button.tsx';
import { opens } from '../ui/invoker.ts';
import { ServiceLinks } from './menu.tsx';
import { MenuEntry, Sheet } from './menu-parts.ts';

const words = site.header;

/** The menu of narrow screens: a sheet below the header. */
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
            <MenuEntry href="/">{words.home}</MenuEntry>
          </li>
          <ServiceLinks />
          <li>
            <MenuEntry href="/#about">{words.about}</MenuEntry>
          </li>
          <li>
            <MenuEntry asChild>
              <button {...opens('contact')} data-cta="contact">
                {words.contact}
              </button>
            </MenuEntry>
          </li>
        </ul>
        <chakra.div display="grid" my="3">
          <BookingButton variant="sign" control="menu">
            {words.start}
          </BookingButton>
        </chakra.div>
      </Sheet>
    </chakra.div>
  );
}
