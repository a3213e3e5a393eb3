import { widthOf } from '../../theme/letters.ts';
import { type Box, fitText } from '../../ui/fit-text.ts';

const face = { family: 'Bricolage Grotesque', weight: 700, spacing: 0 } as const;

/** In em, with a little air. */
const widthOfLine = (line: string) => widthOf(line) + 0.03 * line.length;

/**
 * Words of a drawing, set into lines around the middle `x`, or as near to it as keeps them `within`
 * two edges. `y` is the foot of the first line's letters, `box.largest` the size its style gives them.
 */
export function Label({
  text,
  x,
  y,
  box,
  most = box.width,
  within = [Number.NEGATIVE_INFINITY, Number.POSITIVE_INFINITY],
}: {
  text: string;
  x: number;
  y: number;
  box: Box;
  /** How wide a single long word may get before its letters shrink. */
  most?: number;
  within?: readonly [left: number, right: number];
}) {
  const longest = Math.max(...text.split(' ').map(widthOfLine)) * box.largest;
  const width = Math.max(box.width, Math.min(longest, most));
  const { lines, size } = fitText(text, face, { ...box, width }, widthOfLine);
  const half = (Math.max(...lines.map(widthOfLine)) * size) / 2;
  const middle = Math.round(Math.min(Math.max(x, within[0] + half), within[1] - half));
  const scale = size / box.largest;
  const place = { x: middle, y, textAnchor: 'middle' } as const;
  if (lines.length === 1 && scale === 1) return <text {...place}>{text}</text>;
  return (
    <text
      {...place}
      transform={`translate(${middle} ${y})scale(${scale.toFixed(2)})translate(${-middle} ${-y})`}
    >
      {lines.map((line, i) => (
        <tspan key={line} x={middle} dy={i > 0 ? `${box.lineHeight}em` : undefined}>
          {line}
        </tspan>
      ))}
    </text>
  );
}
