import { Span } from '@chakra-ui/react';
import { widthOf } from '../theme/letters.ts';

/** Width in em up to which a word fits any heading in any window. */
const alwaysFits = 5.5;

/** Additional width of a heading's character compared to the wordmark's, in em. */
const extraSpacing = 0.02;

/** A heading's text, with a font size at which its longest word is not broken. */
export function WholeWords({ children }: { children: string }) {
  const widest = Math.max(
    ...children.split(/(?<=-)|\s+/).map((word) => widthOf(word) + extraSpacing * word.length),
  );
  if (widest < alwaysFits) return children;
  return (
    <Span display="block" containerType="inline-size">
      <Span display="block" fontSize={`min(1em, max(1rem, ${(100 / widest).toFixed(1)}cqi))`}>
        {children}
      </Span>
    </Span>
  );
}
