import { chakra } from '@chakra-ui/react';

/** Three lines that swing less and less and run in parallel through the last quarter. */
const lines = [
  {
    line: 'blue',
    d: 'M14 50c12-6 44-42 68-40s48 50 76 52s62-44 92-44s56 42 88 44s72-34 104-36s66 20 96 22s54-12 92-14s102 6 130 6s34 0 40 0H3000',
  },
  {
    line: 'red',
    d: 'M14 50c10 6 34 40 58 36s58-62 90-62s66 50 100 52s68-40 98-42s48 30 76 30s60-22 90-24s60 12 98 14s106-4 136-4s34 0 40 0H3000',
  },
  {
    line: 'green',
    d: 'M14 50c10-2 32-20 56-14s62 50 94 52s66-44 98-46s64 34 94 34s52-28 80-28s54 20 86 20s56-10 96-12s112 4 142 4s34 0 40 0H3000',
  },
];

/** The lines behind the four steps: horizontal on wide screens, vertical on narrow ones. */
export function SettlingLines() {
  return (
    <Field viewBox="0 0 1000 1000" preserveAspectRatio="none" aria-hidden="true">
      <g>
        {lines.map(({ line, d }) => (
          <path key={line} d={d} data-line={line} />
        ))}
      </g>
    </Field>
  );
}

/** The paths are 1000 long and 100 wide, and are stretched to the available space. */
const Field = chakra('svg', {
  base: {
    position: 'absolute',
    w: { base: '100px', lg: 'full' },
    h: { base: 'full', lg: '100px' },
    fill: 'none',
    overflow: { lg: 'visible' },
    '& g': { transform: { base: 'matrix(0, 1, 10, 0, 0, 0)', lg: 'scaleY(10)' } },
    '& path': { stroke: 'var(--line)', strokeWidth: '5', vectorEffect: 'non-scaling-stroke' },
    _motionSafe: {
      '@supports (animation-timeline: view())': {
        // The end of the animation; the lines reach the edge of the window.
        clipPath: 'inset(-9em -100vw -9em -9em)',
        animation: { base: 'runDown linear both', lg: 'run linear both' },
        animationTimeline: 'view()',
        animationRange: 'entry 60% cover 50%',
      },
    },
  },
});
