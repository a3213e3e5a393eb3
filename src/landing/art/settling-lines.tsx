import { chakra } from '@chakra-ui/react';
import { settlingLines } from './settle.ts';

const lines = settlingLines(4);

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
        animation: { base: 'runDown linear both', lg: 'run linear both' },
        animationTimeline: 'view()',
        animationRange: 'entry 60% cover 50%',
      },
    },
  },
});
