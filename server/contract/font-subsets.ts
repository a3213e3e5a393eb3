/** The parts into which the fonts are cut, as values of `unicode-range`. */
export const fontSubsets = {
  /** English and German, with the punctuation and signs of most languages. */
  basic:
    'U+20-7E,U+A0,U+A3,U+A9,U+AB,U+B0,U+B7,U+BB,U+C4,U+D6,U+D7,U+DC,U+DF,U+E4,U+F6,U+FC,U+2013,U+2014,U+2018-201A,U+201C-201E,U+2022,U+2026,U+20AC,U+2122',
  /** The other letters of Western Europe. */
  western:
    'U+A1,U+AA,U+BA,U+BF-C3,U+C5-D5,U+D8-DB,U+DD,U+DE,U+E0-E3,U+E5-F5,U+F8-FB,U+FD-FF,U+131,U+152,U+153',
  /** Those of Central Europe, the Baltics, Malta and Turkey. */
  central:
    'U+100-107,U+10A-113,U+116-11B,U+11E-123,U+126,U+127,U+12A,U+12B,U+12E-130,U+136,U+137,U+139-148,U+150,U+151,U+154-15B,U+15E-165,U+16A,U+16B,U+16E-173,U+179-17E,U+218-21B',
  vietnamese:
    'U+102,U+103,U+110,U+111,U+128,U+129,U+168,U+169,U+1A0,U+1A1,U+1AF,U+1B0,U+1EA0-1EF9,U+20AB',
};

export type FontSubset = keyof typeof fontSubsets;

/** The first and last code point of each range. */
const rangesOf = (subset: FontSubset): [number, number][] =>
  fontSubsets[subset].split(',').map((range) => {
    const [first = '', last = first] = range.slice(2).split('-');
    return [Number.parseInt(first, 16), Number.parseInt(last, 16)];
  });

/** All characters of a subset. */
export const charactersOf = (subset: FontSubset): string =>
  rangesOf(subset)
    .flatMap(([first, last]) => Array.from({ length: last - first + 1 }, (_, i) => first + i))
    .map((code) => String.fromCodePoint(code))
    .join('');

/** Whether a text has a character of a subset. */
export const usesSubset = (text: string, subset: FontSubset): boolean => {
  const characters = new Set(charactersOf(subset));
  return [...text].some((character) => characters.has(character));
};
