import { chakra } from '@chakra-ui/react';
import { widthOf } from '../theme/letters.ts';

/** A word this wide, in em, has room in any heading of any window. */
const roomy = 5.5;

/** What a letter of a heading is wider than one of the wordmark, in em. */
const looser = 0.02;

/** The words of a heading, in letters as small as the longest of them needs to stay whole. */
export function WholeWords({ children }: { children: string }) {
  const widest = Math.max(
    ...children.split(/(?<=-)|\s+/).map((word) => widthOf(word) + looser * word.length),
  );
  if (widest < roomy) return children;
  return (
    <chakra.span display="block" containerType="inline-size">
      <chakra.span
        display="block"
        fontSize={`min(1em, max(1rem, ${(100 / widest).toFixed(1)}cqi))`}
      >
        {children}
      </chakra.span>
    </chakra.span>
  );
}
