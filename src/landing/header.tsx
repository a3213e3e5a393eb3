import { Box, Flex } from '@chakra-ui/react';
import { site } from '../../site.config.ts';
import { BookingButton } from '../booking/button.tsx';
import { Brand } from '../ui/brand.tsx';
import { MainMenu, MobileMenu } from './menu.tsx';

/**
 * The sticky header: 72 px and a border of 4 px, within the page's scroll offset of 80 px; lower in windows
 * of little height, such as those of a phone on its side or at 400% zoom.
 */
export function Header() {
  return (
    <Flex
      as="header"
      position="sticky"
      top="0"
      zIndex="2"
      align="center"
      columnGap="2"
      minH="76px"
      px="gutter"
      bg="bg"
      borderBottom="4px solid"
      borderColor="fg"
      css={{
        anchorName: '--header',
        // Text follows the reader's font size, as long as the header fits on one line of a phone.
        '& *': { fontSize: 'min(1em, 4.4vw)' },
        // The button wraps to two lines before it breaks a word.
        '& > div': { minWidth: 'min-content' },
        '& > div > button': { paddingInline: 'min(1.25rem, 3vw)', overflowWrap: 'normal' },
        // On narrow windows the logo is hidden so that the name keeps its line.
        '& > a > svg': { '@media (max-width: 26.5em)': { display: 'none' } },
        '@media (max-height: 24em)': { minH: '52px', '& > div > button': { minHeight: '40px' } },
      }}
    >
      <Brand />
      <MainMenu />
      <Box ms={{ base: 'auto', lg: '0' }}>
        <BookingButton variant="solid" button="header">
          {site.header.start}
        </BookingButton>
      </Box>
      <MobileMenu />
    </Flex>
  );
}
