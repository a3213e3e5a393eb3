import { chakra } from '@chakra-ui/react';

/** The upper-case initials of the first and last word; empty for an empty name. */
export function initialsOf(name: string): string {
  const words = name.trim().split(/\s+/);
  return (
    [words[0], words.length > 1 ? words.at(-1) : '']
      // A letter may consist of several characters.
      .map((word) => /^\P{M}?\p{M}*/u.exec(word ?? '')?.[0] ?? '')
      .join('')
      .toUpperCase()
  );
}

/** The placeholder for a missing photo: a station with initials on a line, diagonal or level. */
export function Monogram({ name, isDiagonal }: { name: string; isDiagonal: boolean }) {
  return (
    <Station width="64" height="64" aria-hidden="true">
      <path d={isDiagonal ? 'M2 2l60 60' : 'M0 32h64'} />
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
