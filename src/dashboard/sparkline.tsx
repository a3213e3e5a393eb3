import { chakra } from '@chakra-ui/react';

/** A small line of the days' values in the colour of its card. Hidden from screen readers. */
export function Sparkline({ values }: { values: number[] }) {
  const most = Math.max(...values);
  if (values.length < 3 || most === 0) return null;
  const points = values.map((value, i) => `${i},${most - value}`).join(' ');
  return (
    <Drawing
      viewBox={`0 0 ${values.length - 1} ${most}`}
      preserveAspectRatio="none"
      aria-hidden="true"
    >
      <polyline points={points} />
    </Drawing>
  );
}

const Drawing = chakra('svg', {
  base: {
    display: { base: 'none', xl: 'block' },
    // Shorter beside a long name.
    flex: '1',
    minW: '8',
    maxW: '96px',
    h: '20px',
    ms: 'auto',
    me: '3',
    overflow: 'visible',
    fill: 'none',
    stroke: 'var(--line, {colors.fg})',
    strokeWidth: '1.75px',
    strokeLinejoin: 'round',
    '& polyline': { vectorEffect: 'non-scaling-stroke' },
  },
});
