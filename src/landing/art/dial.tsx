import { chakra } from '@chakra-ui/react';
import { site } from '../../../site.config.ts';
import { Label } from './label.tsx';

const centre = { x: 220, y: 216 };
const radius = 168;

/** The point of the half circle of radius `r` at `turn`: 0 is far left, 1 far right. */
function pointAt(turn: number, r: number) {
  const angle = Math.PI * (1 + turn);
  return {
    x: Math.round(centre.x + r * Math.cos(angle)),
    y: Math.round(centre.y + r * Math.sin(angle)),
  };
}

const face = { x: 30, width: 380 };

const label = { largest: 22, smallest: 12, lineHeight: 1.1 };
/** The middle stop has one line above it; the others have two below, beside the foot of the hand. */
const above = { ...label, width: face.width, height: 24 };
const beside = { ...label, width: 122, height: 49 };

const stops = [0.1, 0.5, 0.9].map((turn) => pointAt(turn, radius));

/** The path of the arc between two turns. */
function arc(from: number, to: number) {
  const [start, end] = [pointAt(from, radius), pointAt(to, radius)];
  return `M${start.x} ${start.y}A${radius} ${radius} 0 0 1 ${end.x} ${end.y}`;
}

const { title, dial } = site.assessment;

/** A dial of where emails end up: a line of three stations with a hand. */
export function Dial() {
  const hand = pointAt(0.66, 122);
  return (
    <Face viewBox={`${face.x} 8 ${face.width} 246`} role="img" aria-label={title}>
      <path d={arc(0.1, 0.5)} data-line="red" />
      <path d={arc(0.5, 0.9)} data-line="green" />
      {stops.map((stop) => (
        <circle key={stop.x} cx={stop.x} cy={stop.y} r="13" />
      ))}
      <path d={`M${centre.x} ${centre.y}L${hand.x} ${hand.y}`} data-hand="" />
      <circle cx={centre.x} cy={centre.y} r="15" />
      {dial.map((text, i) => (
        <Label
          key={text}
          text={text}
          x={stops[i]?.x ?? 0}
          y={(stops[i]?.y ?? 0) + (i === 1 ? -24 : 40)}
          box={i === 1 ? above : beside}
          maxWidth={i === 1 ? face.width : 170}
          within={[face.x, face.x + face.width]}
        />
      ))}
    </Face>
  );
}

const Face = chakra('svg', {
  base: {
    fill: 'none',
    '& path': { stroke: 'var(--line)', strokeWidth: '10' },
    '& [data-hand]': { stroke: 'fg', strokeWidth: '8', strokeLinecap: 'round' },
    '& circle': { fill: 'bg', stroke: 'fg', strokeWidth: '6' },
    '& text': {
      fill: 'fg',
      fontSize: { base: '22px', sm: '18px' },
      fontWeight: '700',
    },
  },
});
