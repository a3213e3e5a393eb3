import { chakra } from '@chakra-ui/react';
import type { ComponentProps } from 'react';
import { words } from './site-words.ts';

/** The last line of a page: `children`, then the links to the privacy page and the imprint. */
export const LegalLinks = ({ children, ...props }: ComponentProps<typeof Line>) => (
  <Line {...props}>
    {children}
    <a href="/privacy">{words.legal.privacy}</a>
    <a href="/imprint">{words.legal.imprint}</a>
  </Line>
);

const Line = chakra('div', {
  base: {
    display: 'flex',
    flexWrap: 'wrap',
    alignItems: 'center',
    columnGap: '6',
    textStyle: 'small',
    '& a': { py: '4', textDecoration: 'underline' },
  },
});
