import { chakra } from '@chakra-ui/react';
import { site } from '../../../site.config.ts';
import { Label } from './label.tsx';

const centre = { x: 220, y: 216 };
const radius = 168;

/** The point of the dial at `turn` of its half circle: 0 is far left, 1 far right. */
function on(turn: number, r: number) {
  const angle = Math.PI * (1 + turn);
  return {
    x: Math.round(centre.x + r * Math.cos(angle)),
    y: Math.round(centre.y + r * Math.sin(angle)),
  };
}

const face = { x: 30, width: 380 };

const letters = { largest: 22, smallest: 12, lineHeight: 1.1 };
/** Above the middle stop there is one line; below the others two, beside the hand's foot. */
const above = { ...letters, width: face.width, height: 24 };
const beside = { ...letters, width: 122, height: 49 };

const stops = [0.1, 0.5, 0.9].map((turn) => on(turn, radius));

/** The stretch of the line from one stop to the next. */
function arc(from: number, to: number) {
  const [start, end] = [on(from, radius), on(to, radius)];
  return `M${start.x} ${start.y}A${radius} ${radius} 0 0 1 ${end.x} ${end.y}`;
}

/** Where emails end up, as a line of three stations with a hand that points between them. */
export function Dial() {
  const hand = on(0.66, 122);
  return (
    <Face viewBox={`${face.x} 8 ${face.width} 246`} aria-hidden="true">
      <path d={arc(0.1, 0.5)} data-line="red" />
      <path d={arc(0.5, 0.9)} data-line="green" />
      {stops.map((stop) => (
        <circle key={stop.x} cx={stop.x} cy={stop.y} r="13" />
      ))}
      <path d={`M${centre.x} ${centre.y}L${hand.x} ${hand.y}`} data-hand="" />
      <circle cx={centre.x} cy={centre.y} r="15" />
      {site.assessment.dial.map((label, i) => (
        <Label
          key={label}
          text={label}
          x={stops[i]?.x ?? 0}
          y={(stops[i]?.y ?? 0) + (i === 1 ? -24 : 40)}
          box={i === 1 ? above : beside}
          most={i === 1 ? face.width : 170}
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
