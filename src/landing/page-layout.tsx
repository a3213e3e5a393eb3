import { chakra } from '@chakra-ui/react';
import type { ReactNode } from 'react';
import { site } from '../../site.config.ts';
import { Header } from './header.tsx';

/** The layout of every public page: the skip link, then the header. */
export function PageLayout({ children }: { children: ReactNode }) {
  return (
    <>
      <chakra.a
        href="#main"
        position="fixed"
        top="2"
        insetStart="2"
        zIndex="3"
        px="4"
        py="3"
        bg="fg"
        color="bg"
        fontWeight="700"
        css={{ '&:not(:focus)': { translate: '0 -200%' } }}
      >
        {site.labels.skip}
      </chakra.a>
      <Header />
      {children}
    </>
  );
}
