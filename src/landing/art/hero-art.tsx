import { chakra } from '@chakra-ui/react';
import { site } from '../../../site.config.ts';
import { layers, plan, type Strand, strands } from './knot.ts';
import { Label } from './label.tsx';

const { tracks, interchange, picture } = site.hero;

/** The box of the interchange's label, between the knot and the lowest track. */
const labelBox = { width: 180, height: 56, largest: 24, smallest: 14, lineHeight: 1.15 };

/** The hero's drawing: a knot, an interchange, and labelled tracks to the window's edge. */
export function HeroArt() {
  return (
    <Canvas viewBox={`0 0 ${plan.width} ${plan.height}`} role="img" aria-labelledby="hero-art">
      <title id="hero-art">{`${picture} ${tracks.join(', ')}.`}</title>
      {layers.map((layer) => (
        <g key={layer} data-layer={layer}>
          {strands.map((strand) => (
            <Strip key={strand.y} line={strand.line} d={strand.knot[layer]} />
          ))}
        </g>
      ))}
      <g data-layer={layers.length}>
        {strands.map(({ y, line, track }) => (
          <path key={y} d={track} data-line={line} />
        ))}
      </g>
      {strands.map((strand, i) => (
        <Station key={strand.y} strand={strand} label={tracks[i] ?? ''} />
      ))}
      <path d={`M${plan.interchange} ${plan.height / 2 + 42}v46`} data-leader="" />
      <Label
        text={interchange}
        x={plan.interchange + 8}
        y={plan.height / 2 + 112}
        box={labelBox}
        maxWidth={215}
      />
      <rect x={plan.interchange - 15} y={plan.height / 2 - 42} width="30" height="84" rx="15" />
    </Canvas>
  );
}

/** One stretch, drawn twice: a halo that separates it from the strands below, then the line. */
function Strip({ line, d }: { line: Strand['line']; d: string | undefined }) {
  if (!d) return null;
  return (
    <>
      <path d={d} />
      <path d={d} data-line={line} />
    </>
  );
}

function Station({ strand, label }: { strand: Strand; label: string }) {
  return (
    <>
      <circle cx={plan.station} cy={strand.y} r="9" />
      <text x={plan.station - 6} y={strand.y - 21}>
        {label}
      </text>
    </>
  );
}

const Canvas = chakra('svg', {
  base: {
    w: 'full',
    maxW: '40rem',
    h: 'auto',
    overflow: 'visible',
    fill: 'none',
    '& path': { stroke: 'bg', strokeWidth: '12' },
    '& path[data-line]': {
      stroke: 'var(--line)',
      strokeWidth: '6.5',
      strokeLinecap: 'round',
    },
    '& circle, & rect': { fill: 'bg', stroke: 'fg', strokeWidth: '5' },
    '& rect': { fill: 'primary' },
    '& [data-leader]': { stroke: 'fg', strokeWidth: '3' },
    '& text': {
      fill: 'fg',
      stroke: 'bg',
      strokeWidth: '8',
      paintOrder: 'stroke',
      fontSize: { base: '24px', sm: '18px' },
      fontWeight: '700',
    },
    _motionSafe: {
      // Animated by layer, not by stretch: four animations instead of fifty.
      '& g': { strokeDasharray: `${plan.longest}`, animation: 'draw 0.2s linear both' },
      '& [data-layer="1"]': { animationDelay: '0.2s' },
      '& [data-layer="2"]': { animationDelay: '0.4s' },
      '& [data-layer="3"]': { animationDelay: '0.6s' },
      '& [data-layer="4"]': {
        strokeDasharray: 'none',
        // The end of the animation: no clip at all could not be interpolated.
        clipPath: 'inset(-9em)',
        animation: 'run 1.2s ease-out 0.8s both',
      },
    },
  },
});
