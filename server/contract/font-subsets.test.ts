import { expect, it } from 'vitest';
import { charactersOf, type FontSubset, fontSubsets, usesSubset } from './font-subsets.ts';

const subsets = Object.keys(fontSubsets) as FontSubset[];

it.each<[string, FontSubset[]]>([
  ['The quick brown fox’s “tale” – 5 € · © 2026…', []],
  ['Äpfel, Öl, Übung, Straße, ‚so‘ und „so“', []],
  ['¿Qué? ¡Mañana! Español, Português: ção, ã, à', ['western']],
  ['Français: œuvre, Noël, ça, où, île, Île', ['western']],
  ['Svenska å, Dansk ø æ, Íslenska þ ð ý', ['western']],
  ['Zażółć gęślą jaźń, ZAŻÓŁĆ GĘŚLĄ JAŹŃ', ['western', 'central']],
  ['Příliš žluťoučký kůň, ďábelské ódy; ľúbezný ŕ ĺ', ['western', 'central']],
  ['Árvíztűrő tükörfúrógép', ['western', 'central']],
  ['Știință, țară, înger, ă', ['western', 'central']],
  ['Çağ, ışık, İstanbul, şeker', ['western', 'central']],
  ['Žąsis ėjo į ūkį, ģimene ķirsis ņ ļ ā ē ī', ['central']],
  ['Đặc biệt, ơ, ư, ệ, ₫', ['vietnamese']],
])('the letters of "%s" are in basic and %o', (text, expected) => {
  const chosen: FontSubset[] = ['basic', ...expected];
  const characters = new Set(chosen.map(charactersOf).join(''));
  expect([...text.normalize('NFC')].filter((character) => !characters.has(character))).toEqual([]);
  for (const subset of expected) expect(usesSubset(text.normalize('NFC'), subset)).toBe(true);
});

it('the first three subsets share no character, so that none is downloaded twice', () => {
  const characters = subsets.slice(0, 3).flatMap((subset) => [...charactersOf(subset)]);
  expect(new Set(characters).size).toBe(characters.length);
});
