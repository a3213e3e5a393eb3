/** The share picture for link previews: the owner's copy and the hero's knot, 1200 by 630 pixels. */
import type { SVGProps } from 'react';
import { renderToStaticMarkup } from 'react-dom/server';
import type { Drawing, Face, Measure } from '../../server/contract/pictures.ts';
import { site } from '../../site.config.ts';
import { layers, plan, strands } from '../landing/art/knot.ts';
import { mark } from '../ui/brand.tsx';
import { type Box, type FittedText, fitText } from '../ui/fit-text.ts';
import { colour } from './colours.ts';
import { versionOf } from './pictures.ts';

/** The copy in the picture. */
export interface ShareCopy {
  brand: string;
  title: string;
  tagline: string;
  tracks: readonly string[];
  interchange: string;
}

export const shareSize = { width: 1200, height: 630 } as const;

export const shareCopy: ShareCopy = {
  brand: site.brand.name,
  title: site.hero.title,
  tagline: site.brand.tagline,
  tracks: site.hero.tracks,
  interchange: site.hero.interchange,
};

/** The alt text of the picture. */
export const shareAlt = ({ brand, hero }: typeof site) =>
  `${brand.name}: ${hero.title} ${brand.tagline}`;

const displayFace: Face = { family: 'Bricolage Grotesque', weight: 800, spacing: -0.028 };
const nameFace: Face = { ...displayFace, spacing: -0.015 };
const textFace: Face = { family: 'Hanken Grotesk', weight: 600, spacing: 0 };

const margin = 64;
/** The rule below the name, and the three lines at the foot. */
const rule = { y: 118, height: 8 };
const foot = { y: 578, line: 10, gap: 8 };
/** Position and scale of the knot; its tracks run to the right edge. */
const art = { x: 598, y: 144, scale: 0.91, station: plan.station - 28 };

const boxes = {
  brand: { width: 980, height: 50, largest: 42, smallest: 26, lineHeight: 1.15 },
  title: { width: 528, height: 274, largest: 118, smallest: 44, lineHeight: 0.96 },
  tagline: { width: 520, height: 84, largest: 32, smallest: 24, lineHeight: 1.3 },
  // In SVG units of the knot.
  track: { width: 146, height: 28, largest: 24, smallest: 12, lineHeight: 1.15 },
  interchange: { width: 160, height: 56, largest: 24, smallest: 12, lineHeight: 1.15 },
} satisfies Record<string, Box>;

/** The share picture as SVG; `measure` returns text widths in em. */
export function shareCard(measure: Measure, copy = shareCopy): Drawing {
  const brand = fitText(copy.brand, nameFace, boxes.brand, measure);
  const title = fitText(copy.title, displayFace, boxes.title, measure);
  const tagline = fitText(copy.tagline, textFace, boxes.tagline, measure);
  const svg = (
    <svg
      xmlns="http://www.w3.org/2000/svg"
      viewBox={`0 0 ${shareSize.width} ${shareSize.height}`}
      fill="none"
      role="presentation"
    >
      <rect {...shareSize} fill={colour('bg')} />
      <Knot copy={copy} measure={measure} />
      <rect y={rule.y} width={shareSize.width} height={rule.height} fill={colour('fg')} />
      <g transform={`translate(${margin} ${rule.y / 2 - 24}) scale(1.7)`} strokeWidth="3.5">
        <path d={mark.line} stroke={colour('line-blue')} strokeLinecap="round" />
        <circle {...mark.station} stroke={colour('fg')} fill={colour('bg')} />
      </g>
      <Lines text={brand} face={nameFace} x={margin + 84} y={rule.y / 2 + brand.size * 0.34} />
      <Lines
        text={title}
        face={displayFace}
        lineHeight={boxes.title.lineHeight}
        x={margin - title.size * 0.04}
        y={170 + title.size * 0.76}
      />
      <Lines
        text={tagline}
        face={textFace}
        fill="fg-soft"
        lineHeight={boxes.tagline.lineHeight}
        x={margin}
        y={foot.y - 40 - (tagline.lines.length - 1) * tagline.size * boxes.tagline.lineHeight}
      />
      {(['line-blue', 'line-red', 'line-green'] as const).map((line, i) => (
        <rect
          key={line}
          y={foot.y + i * (foot.line + foot.gap)}
          width={shareSize.width}
          height={foot.line}
          fill={colour(line)}
        />
      ))}
    </svg>
  );
  return { svg: renderToStaticMarkup(svg), width: shareSize.width };
}

/** The address of the share picture. Other sites keep it, so another picture has another one. */
export const sharePicture = `/assets/share-${versionOf(shareCard)}.png`;

/** Lines of text, one below the other. */
function Lines({
  text: { lines, size },
  face,
  x,
  y,
  lineHeight = 1,
  fill = 'fg',
  ...others
}: {
  text: FittedText;
  face: Face;
  x: number;
  /** The baseline of the first line. */
  y: number;
  lineHeight?: number;
  fill?: string;
} & SVGProps<SVGTextElement>) {
  return lines.map((line, i) => (
    <text
      key={line}
      x={x}
      y={y + i * size * lineHeight}
      fill={colour(fill)}
      fontFamily={face.family}
      fontWeight={face.weight}
      fontSize={size}
      letterSpacing={size * face.spacing}
      {...others}
    >
      {line}
    </text>
  ));
}

/** The hero's drawing, with stations and their labels. */
function Knot({ copy, measure }: { copy: ShareCopy; measure: Measure }) {
  const middle = plan.height / 2;
  const halo = { stroke: colour('bg'), strokeWidth: 8, paintOrder: 'stroke' };
  const station = { fill: colour('bg'), stroke: colour('fg'), strokeWidth: 5 };
  return (
    <g transform={`translate(${art.x} ${art.y}) scale(${art.scale})`}>
      {layers.map((layer) =>
        strands.map(({ y, line, knot }) => <Strip key={y} d={knot[layer]} line={line} />),
      )}
      {strands.map(({ y, line, track }) => (
        <Strip key={y} d={track} line={line} />
      ))}
      {strands.map(({ y }, i) => (
        <g key={y}>
          <circle cx={art.station} cy={y} r="9" {...station} />
          <Lines
            text={fitText(copy.tracks[i] ?? '', textFace, boxes.track, measure)}
            face={textFace}
            x={art.station - 8}
            y={y - 22}
            {...halo}
          />
        </g>
      ))}
      <path d={`M${plan.interchange} ${middle + 42}v46`} stroke={colour('fg')} strokeWidth="4" />
      <Lines
        text={fitText(copy.interchange, textFace, boxes.interchange, measure)}
        face={textFace}
        lineHeight={boxes.interchange.lineHeight}
        x={plan.interchange + 8}
        y={middle + 116}
        textAnchor="middle"
        {...halo}
      />
      <rect
        x={plan.interchange - 15}
        y={middle - 42}
        width="30"
        height="84"
        rx="15"
        {...station}
        fill={colour('primary')}
      />
    </g>
  );
}

/** One stretch, drawn twice: a halo that separates it from the strands below, then the line. */
function Strip({ line, d }: { line: string; d: string | undefined }) {
  if (!d) return null;
  return (
    <>
      <path d={d} stroke={colour('bg')} strokeWidth="13" />
      <path d={d} stroke={colour(`line-${line}`)} strokeWidth="7" strokeLinecap="round" />
    </>
  );
}
