/** Fits text into a box at the largest possible font size. */
import type { Face, Measure } from '../../server/contract/pictures.ts';

export interface Box {
  width: number;
  height: number;
  /** The range of font sizes to try, in the box's units. */
  largest: number;
  smallest: number;
  /** In em. */
  lineHeight: number;
}

export interface FittedText {
  lines: string[];
  /** The font size, in the box's units. */
  size: number;
}

/**
 * Wraps a text into lines at the largest font size that fits the box. A text that is too long at the
 * smallest size is truncated with an ellipsis; a word that is wider than the box is broken.
 */
export function fitText(text: string, face: Face, box: Box, measure: Measure): FittedText {
  const words = text.trim().split(/\s+/);
  const widthOf = (line: string) => measure(line, face);
  for (let size = box.largest; size >= box.smallest; size -= 2) {
    const maxWidth = box.width / size;
    if (words.some((word) => widthOf(word) > maxWidth)) continue;
    const lines = wrap(words, maxWidth, widthOf);
    if (lines.length <= maxLines(box, size)) {
      return { size, lines: balance(words, lines, maxWidth, widthOf) };
    }
  }
  const size = box.smallest;
  const maxWidth = box.width / size;
  const pieces = words.flatMap((word) => breakWord(word, maxWidth, widthOf));
  return {
    size,
    lines: truncate(wrap(pieces, maxWidth, widthOf), maxLines(box, size), maxWidth, widthOf),
  };
}

type WidthOf = (line: string) => number;

/** The number of lines of this font size that fit the box: at least one. */
const maxLines = ({ height, lineHeight }: Box, size: number) =>
  Math.max(1, Math.floor(height / (size * lineHeight) + 0.01));

/** Wraps words into lines, each as long as possible. */
function wrap(words: string[], maxWidth: number, widthOf: WidthOf): string[] {
  const lines: string[] = [];
  for (const word of words) {
    const longer = lines.length > 0 ? `${lines.at(-1)} ${word}` : word;
    if (lines.length > 0 && widthOf(longer) <= maxWidth) lines[lines.length - 1] = longer;
    else lines.push(word);
  }
  return lines;
}

/** Wraps words into the same number of lines, of about equal length. */
function balance(words: string[], lines: string[], maxWidth: number, widthOf: WidthOf): string[] {
  let best = lines;
  for (let narrower = maxWidth; narrower > 0; narrower -= maxWidth / 50) {
    if (words.some((word) => widthOf(word) > narrower)) break;
    const candidate = wrap(words, narrower, widthOf);
    if (candidate.length > lines.length) break;
    best = candidate;
  }
  return best;
}

/** Breaks a word into parts that each fit a line. */
function breakWord(word: string, maxWidth: number, widthOf: WidthOf): string[] {
  const parts: string[] = [''];
  for (const character of word) {
    const longer = `${parts.at(-1)}${character}`;
    if (parts.at(-1) === '' || widthOf(longer) <= maxWidth) parts[parts.length - 1] = longer;
    else parts.push(character);
  }
  return parts;
}

/** The first `count` lines, with an ellipsis if there were more. */
function truncate(lines: string[], count: number, maxWidth: number, widthOf: WidthOf): string[] {
  if (lines.length <= count) return lines;
  const shown = lines.slice(0, count);
  const characters = [...(shown.pop() ?? '')];
  const last = () => `${characters.join('').trimEnd()}…`;
  while (characters.length > 0 && widthOf(last()) > maxWidth) characters.pop();
  return [...shown, last()];
}
