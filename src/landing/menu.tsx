import { chakra } from '@chakra-ui/react';
import { site } from '../../site.config.ts';
import { DownIcon } from '../ui/icons.tsx';
import { openProps } from '../ui/invoker.ts';
import { LineMark } from './line-mark.tsx';
import { MenuEntry, Sheet } from './menu-parts.ts';
import { services } from './service-icons.ts';

const copy = site.header;

/** The menu of wide screens. Services is a disclosure, not an ARIA menu of commands. */
export function MainMenu() {
  return (
    <chakra.nav aria-label={site.labels.mainMenu} mx="auto" display={{ base: 'none', lg: 'block' }}>
      <chakra.ul display="flex" columnGap="8">
        <li>
          <MenuEntry href="/">{copy.home}</MenuEntry>
        </li>
        <li>
          <MenuEntry asChild css={{ anchorName: '--services' }}>
            <button
              type="button"
              popoverTarget="services-menu"
              aria-expanded="false"
              aria-controls="services-menu"
            >
              {copy.services}
              <DownIcon />
            </button>
          </MenuEntry>
          <ServicesMenu />
        </li>
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
      </chakra.ul>
    </chakra.nav>
  );
}

function ServicesMenu() {
  return (
    <Sheet
      id="services-menu"
      popover=""
      css={{
        insetStart: '50%',
        '@supports (anchor-name: --a)': { insetStart: 'calc(anchor(--services start) - 24px)' },
      }}
    >
      <ServiceLinks />
    </Sheet>
  );
}

/** The three services as menu entries, each with its line. */
export function ServiceLinks() {
  return services.map(({ id, name, line }) => (
    <li key={id} data-line={line}>
      <MenuEntry href={`/#${id}`}>
        <LineMark />
        {name}
      </MenuEntry>
    </li>
  ));
}
