import { widthOf } from '../../theme/letters.ts';
import { type Box, fitText } from '../../ui/fit-text.ts';

const face = { family: 'Bricolage Grotesque', weight: 700, spacing: 0 } as const;

/** Width of a line in em, with some letter spacing. */
const lineWidth = (line: string) => widthOf(line) + 0.03 * line.length;

/**
 * Text of a drawing, wrapped into lines centred on `x`, or as near to it as keeps them `within` two
 * edges. `y` is the baseline of the first line, `box.largest` the font size that the style sets.
 */
export function Label({
  text,
  x,
  y,
  box,
  maxWidth = box.width,
  within = [Number.NEGATIVE_INFINITY, Number.POSITIVE_INFINITY],
}: {
  text: string;
  x: number;
  y: number;
  box: Box;
  /** Width that a single long word may reach before the font size shrinks. */
  maxWidth?: number;
  within?: readonly [left: number, right: number];
}) {
  const longest = Math.max(...text.split(' ').map(lineWidth)) * box.largest;
  const width = Math.max(box.width, Math.min(longest, maxWidth));
  const { lines, size } = fitText(text, face, { ...box, width }, lineWidth);
  const half = (Math.max(...lines.map(lineWidth)) * size) / 2;
  const middle = Math.round(Math.min(Math.max(x, within[0] + half), within[1] - half));
  const scale = size / box.largest;
  const position = { x: middle, y, textAnchor: 'middle' } as const;
  if (lines.length === 1 && scale === 1) return <text {...position}>{text}</text>;
  return (
    <text
      {...position}
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
