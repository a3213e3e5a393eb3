import { chakra } from '@chakra-ui/react';
import { site } from '../../site.config.ts';

/** Letters of the display face at this weight and spacing, by their width in hundredths of an em. */
const widths: Record<number, string> = {
  18: ' ',
  24: "iljI.,'’",
  38: 'ftr1-J',
  47: 'L',
  51: 'zsc7',
  55: 'aeZkvxF',
  58: 'goyTuE235',
  61: 'hnbdpqPS4689',
  65: 'CYBRVD0',
  69: 'AOGHUXQK&',
  75: 'N',
  88: 'wMm',
  99: 'W',
};

/** How wide the ink of a name is, in em; a letter that is not listed counts as a wide one. */
function widthOf(name: string): number {
  const listed = Object.entries(widths);
  const hundredths = [...name.normalize('NFD').replace(/\p{M}/gu, '')].map((letter) =>
    Number(listed.find(([, letters]) => letters.includes(letter))?.[0] ?? 70),
  );
  return hundredths.reduce((sum, width) => sum + width, -8) / 100;
}

/** The name across the whole footer, from edge to edge unless it is very short. */
export function Wordmark() {
  const size = `${(100 / Math.max(3.4, widthOf(site.brand.name))).toFixed(1)}cqi`;
  return (
    <chakra.p
      aria-hidden="true"
      mt="band"
      // The air before a letter grows with it: without it the name stands on the text's edge.
      ms="-0.06em"
      fontFamily="display"
      fontWeight="800"
      fontSize={size}
      lineHeight="0.8"
      letterSpacing="-0.04em"
      whiteSpace="nowrap"
    >
      {site.brand.name}
    </chakra.p>
  );
}
