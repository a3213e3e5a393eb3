/** Sets a text into a box, as large as it will go. */
import type { Face, Measure } from '../../server/contract/pictures.ts';

export interface Box {
  width: number;
  height: number;
  /** Sizes of the letters that look good, the largest first. */
  largest: number;
  smallest: number;
  /** In em. */
  lineHeight: number;
}

export interface SetText {
  lines: string[];
  /** Of the letters, in the box's units. */
  size: number;
}

/**
 * The lines of a text and their size, so that they stay inside the box. A text that is too long even
 * at the smallest size is cut and ends in an ellipsis; a word that is wider than the box is broken.
 */
export function fitText(text: string, face: Face, box: Box, measure: Measure): SetText {
  const words = text.trim().split(/\s+/);
  const widthOf = remembered((line) => measure(line, face));
  for (let size = box.largest; size >= box.smallest; size -= 2) {
    const room = box.width / size;
    if (words.some((word) => widthOf(word) > room)) continue;
    const lines = wrapped(words, room, widthOf);
    if (lines.length <= rowsOf(box, size)) {
      return { size, lines: balanced(words, lines, room, widthOf) };
    }
  }
  const size = box.smallest;
  const room = box.width / size;
  const pieces = words.flatMap((word) => broken(word, room, widthOf));
  return { size, lines: cut(wrapped(pieces, room, widthOf), rowsOf(box, size), room, widthOf) };
}

type WidthOf = (line: string) => number;

/** How many lines of this size the box has room for: at least one. */
const rowsOf = ({ height, lineHeight }: Box, size: number) =>
  Math.max(1, Math.floor(height / (size * lineHeight) + 0.01));

/** As many words on each line as there is room for. */
function wrapped(words: string[], room: number, widthOf: WidthOf): string[] {
  const lines: string[] = [];
  for (const word of words) {
    const longer = lines.length > 0 ? `${lines.at(-1)} ${word}` : word;
    if (lines.length > 0 && widthOf(longer) <= room) lines[lines.length - 1] = longer;
    else lines.push(word);
  }
  return lines;
}

/** The same number of lines, but about equally long. */
function balanced(words: string[], lines: string[], room: number, widthOf: WidthOf): string[] {
  let best = lines;
  for (let narrower = room; narrower > 0; narrower -= room / 50) {
    if (words.some((word) => widthOf(word) > narrower)) break;
    const tried = wrapped(words, narrower, widthOf);
    if (tried.length > lines.length) break;
    best = tried;
  }
  return best;
}

/** Parts of a word that each have room on a line. */
function broken(word: string, room: number, widthOf: WidthOf): string[] {
  const parts: string[] = [''];
  for (const letter of word) {
    const longer = `${parts.at(-1)}${letter}`;
    if (parts.at(-1) === '' || widthOf(longer) <= room) parts[parts.length - 1] = longer;
    else parts.push(letter);
  }
  return parts;
}

/** The first `rows` lines, with an ellipsis when there were more. */
function cut(lines: string[], rows: number, room: number, widthOf: WidthOf): string[] {
  if (lines.length <= rows) return lines;
  const kept = lines.slice(0, rows);
  const letters = [...(kept.pop() ?? '')];
  while (letters.length > 0 && widthOf(`${letters.join('').trimEnd()}…`) > room) letters.pop();
  return [...kept, `${letters.join('').trimEnd()}…`];
}

function remembered(widthOf: WidthOf): WidthOf {
  const known = new Map<string, number>();
  return (line) => {
    const width = known.get(line) ?? widthOf(line);
    known.set(line, width);
    return width;
  };
}
