/** How wide words are, for what must be known before there is a window to measure them in. */

/** Letters of the display face at its boldest, set tight, by their width in hundredths of an em. */
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

/** How wide the ink of a text is, in em; a letter that is not listed counts as a wide one. */
export function widthOf(text: string): number {
  const listed = Object.entries(widths);
  const hundredths = [...text.normalize('NFD').replace(/\p{M}/gu, '')].map((letter) =>
    Number(listed.find(([, letters]) => letters.includes(letter))?.[0] ?? 70),
  );
  return hundredths.reduce((sum, width) => sum + width, -8) / 100;
}
