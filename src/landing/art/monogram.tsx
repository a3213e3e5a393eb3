import { chakra } from '@chakra-ui/react';
import { random } from './random.ts';

/** The directions in which a line can pass a station: 45 degrees apart, as on the map. */
const directions = ['M0 32h64', 'M2 62L62 2', 'M2 2l60 60'];

/** The path of a person's line: one of the directions, the same for the same name. */
export function directionOf(name: string): string {
  const seed =
    [...name].reduce((sum, character) => sum * 31 + (character.codePointAt(0) ?? 0), 7) | 0;
  return directions[Math.floor(random(seed)() * directions.length)] ?? 'M0 32h64';
}

/** The upper-case initials of the first and last word; empty for an empty name. */
export function initialsOf(name: string): string {
  const words = name.trim().split(/\s+/);
  return [words[0], words.length > 1 ? words.at(-1) : '']
    .map((word) => [...(word ?? '')][0] ?? '')
    .join('')
    .toUpperCase();
}

/** The placeholder for a missing photo: a station with initials on a line. */
export function Monogram({ name }: { name: string }) {
  return (
    <Station width="64" height="64" aria-hidden="true">
      <path d={directionOf(name)} />
      <circle cx="32" cy="32" r="22" />
      <text x="32" y="38">
        {initialsOf(name)}
      </text>
    </Station>
  );
}

const Station = chakra(
  'svg',
  {
    base: {
      flexShrink: '0',
      overflow: 'visible',
      '& path': { stroke: 'var(--line)', strokeWidth: '9' },
      '& circle': { fill: 'bg', stroke: 'fg', strokeWidth: '5' },
      '& text': { fill: 'fg', fontSize: '17px', fontWeight: '700', textAnchor: 'middle' },
    },
  },
  { forwardProps: ['width', 'height'] },
);
