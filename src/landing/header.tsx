import { chakra } from '@chakra-ui/react';
import { site } from '../../site.config.ts';
import { BookingButton } from '../booking/button.tsx';
import { Brand } from '../ui/brand.tsx';
import { MainMenu } from './menu.tsx';
import { MobileMenu } from './mobile-menu.tsx';

/** The bar that stays at the top: 72 px and a rule of 4, within the page's 80 px scroll offset. */
export function Header() {
  return (
    <chakra.header
      position="sticky"
      top="0"
      zIndex="2"
      display="flex"
      alignItems="center"
      columnGap="2"
      minH="76px"
      px="gutter"
      bg="bg"
      borderBottom="4px solid"
      borderColor="fg"
      css={{
        anchorName: '--header',
        // Letters as large as a reader likes, as long as the bar stays one line of a phone.
        '& *': { fontSize: 'min(1em, 4.4vw)' },
        // Words of a bar stay whole: the button takes two lines before it breaks one.
        '& > div': { minWidth: 'min-content' },
        '& > div > button': { paddingInline: 'min(1.25rem, 3vw)', overflowWrap: 'normal' },
        // The name keeps its line before its mark keeps its place.
        '& > a > svg': { '@media (max-width: 26.5em)': { display: 'none' } },
        '@media (max-height: 24em)': { position: 'static' },
      }}
    >
      <Brand />
      <MainMenu />
      <chakra.div ms={{ base: 'auto', lg: '0' }}>
        <BookingButton variant="sign" control="header">
          {site.header.start}
        </BookingButton>
      </chakra.div>
      <MobileMenu />
    </chakra.header>
  );
}
