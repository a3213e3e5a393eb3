/** Approximate text widths, for layout decisions at build, where no browser can measure text. */

/** Characters of the display face at its boldest, set tight, by their width in hundredths of an em. */
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

/** The width of a text's ink in the display face, in em; an unlisted character counts as a wide one. */
export function widthOf(text: string): number {
  const entries = Object.entries(widths);
  const hundredths = [...text.normalize('NFD').replace(/\p{M}/gu, '')].map((character) =>
    Number(entries.find(([, characters]) => characters.includes(character))?.[0] ?? 70),
  );
  return hundredths.reduce((sum, width) => sum + width, -8) / 100;
}
