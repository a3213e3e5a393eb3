import { Box, Button, chakra, Flex, Grid } from '@chakra-ui/react';
import { site } from '../../site.config.ts';
import { BookingButton } from '../booking/button.tsx';
import { DownIcon } from '../ui/icons.tsx';
import { openProps } from '../ui/invoker.ts';
import { words } from '../ui/site-words.ts';
import { services } from './services.tsx';

const copy = site.header;

/** The menu of wide screens. Services is a disclosure, not an ARIA menu of commands. */
export function MainMenu() {
  return (
    <Box
      as="nav"
      aria-label={words.labels.mainMenu}
      mx="auto"
      display={{ base: 'none', lg: 'block' }}
    >
      <Flex as="ul" columnGap="8">
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
          <Sheet
            id="services-menu"
            popover=""
            css={{
              insetStart: '50%',
              '@supports (anchor-name: --a)': {
                insetStart: 'calc(anchor(--services start) - 24px)',
              },
            }}
          >
            <ServiceLinks />
          </Sheet>
        </li>
        <li>
          <MenuEntry href="/#about">{copy.about}</MenuEntry>
        </li>
        <li>
          <ContactEntry />
        </li>
      </Flex>
    </Box>
  );
}

/** The three services as menu entries, each with its line. */
function ServiceLinks() {
  return services.map(({ id, name, line }) => (
    <li key={id} data-line={line}>
      <MenuEntry href={`/#${id}`}>
        <LineMark />
        {name}
      </MenuEntry>
    </li>
  ));
}

function ContactEntry() {
  return (
    <MenuEntry asChild>
      <button {...openProps('contact')} data-cta="contact">
        {copy.contact}
      </button>
    </MenuEntry>
  );
}

/** The menu of narrow screens: a panel below the header. */
export function MobileMenu() {
  return (
    <Box display={{ lg: 'none' }} flexShrink="0">
      <Button asChild>
        <button
          type="button"
          popoverTarget="mobile-menu"
          aria-expanded="false"
          aria-controls="mobile-menu"
        >
          {words.labels.menu}
        </button>
      </Button>
      <Sheet
        as="nav"
        id="mobile-menu"
        popover=""
        aria-label={words.labels.menu}
        insetStart="0"
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
            <ContactEntry />
          </li>
        </ul>
        <Grid my="3">
          <BookingButton variant="solid" button="menu">
            {copy.start}
          </BookingButton>
        </Grid>
      </Sheet>
    </Box>
  );
}

/** An entry of the main or the mobile menu: a link or a button. */
const MenuEntry = chakra('a', {
  base: {
    display: 'flex',
    alignItems: 'center',
    gap: '2',
    minH: '12',
    w: 'full',
    fontWeight: '600',
    cursor: 'pointer',
    _hover: {
      textDecoration: 'underline',
      textDecorationThickness: '3px',
      textUnderlineOffset: '6px',
    },
  },
});

/**
 * The panel of a menu: a popover positioned below the header. In browsers without popovers it opens
 * while its button or an entry has the focus or the pointer; a tap does that too.
 */
const Sheet = chakra('ul', {
  base: {
    position: 'fixed',
    inset: 'auto',
    top: '72px',
    m: '0',
    px: '5',
    py: '3',
    bg: 'bg',
    color: 'fg',
    borderWidth: '3px',
    borderColor: 'fg',
    '@supports (anchor-name: --a)': {
      // Without a default anchor, Firefox 153 ignores how far the page is scrolled.
      positionAnchor: '--header',
      top: 'calc(anchor(--header bottom) - 4px)',
    },
    maxH: 'calc(100dvh - 72px)',
    overflowY: 'auto',
    '@supports not selector(:popover-open)': {
      '*:not(:hover, :focus-within) > &': { display: 'none' },
    },
  },
});

/** A short line with a station, in the colour of the nearest `data-line`. */
function LineMark() {
  return (
    <svg width="36" height="18" fill="none" aria-hidden="true">
      <path d="M0 9h36" stroke="var(--line)" strokeWidth="5" />
      <circle
        cx="18"
        cy="9"
        r="6"
        fill="var(--c-colors-bg)"
        stroke="currentColor"
        strokeWidth="3.5"
      />
    </svg>
  );
}
