/** The controls that choose which part of a picture the site takes. */
import { Box, chakra, VisuallyHidden } from '@chakra-ui/react';
import { type KeyboardEvent, type PointerEvent, useEffect, useId, useRef, useState } from 'react';
import { type PhotoUse, photoShapes } from '../../server/contract/photos.ts';
import { type Crop, type CropChange, maxZoom } from './photo-crop.ts';
import { drawPart } from './photo-files.ts';

/** How far a key moves the part, as a share of its size, and how much it zooms. */
const step = 0.05;
const zoomStep = 0.1;

interface CropProps {
  picture: ImageBitmap;
  crop: Crop;
  use: PhotoUse;
  onChange: (change: CropChange) => void;
}

/** The part of the picture that is used, with lines at its thirds. */
export function CropFrame({
  picture,
  crop,
  label,
  use,
  takesFocus,
  onChange,
}: CropProps & {
  label: string;
  /** Whether the owner has asked for it, so that cropping is what comes next. */
  takesFocus: boolean;
}) {
  const shape = photoShapes[use];
  const canvas = useRef<HTMLCanvasElement>(null);
  /** Whether the last change came from a key, and is announced by screen readers. */
  const [isAnnounced, setIsAnnounced] = useState(false);
  const last = useRef<{ x: number; y: number }>(undefined);
  const hintId = useId();

  useEffect(() => {
    const element = canvas.current;
    if (!element) return;
    drawPart(element, { picture, shape, crop }, element.clientWidth * devicePixelRatio);
  }, [picture, shape, crop]);
  // biome-ignore lint/correctness/useExhaustiveDependencies: when it opens
  useEffect(() => {
    if (takesFocus) canvas.current?.focus();
  }, []);

  const onKeyDown = (event: KeyboardEvent) => {
    const by = {
      // The photo moves as the key says, so its part moves against it.
      ArrowLeft: { right: step },
      ArrowRight: { right: -step },
      ArrowUp: { down: step },
      ArrowDown: { down: -step },
      '+': { zoom: crop.zoom + zoomStep },
      '=': { zoom: crop.zoom + zoomStep },
      '-': { zoom: crop.zoom - zoomStep },
    }[event.key];
    // Of the browser: zoom of the page, the page before.
    if (!by || event.ctrlKey || event.metaKey || event.altKey) return;
    event.preventDefault();
    onChange(by);
    setIsAnnounced(true);
  };
  const onPointerMove = ({ clientX: x, clientY: y, currentTarget }: PointerEvent) => {
    if (!last.current) return;
    onChange({
      right: (last.current.x - x) / currentTarget.clientWidth,
      down: (last.current.y - y) / currentTarget.clientHeight,
    });
    last.current = { x, y };
  };
  const stop = () => {
    last.current = undefined;
  };
  return (
    <Box position="relative" borderWidth="2px" borderColor="fg" lineHeight="0">
      <chakra.canvas
        ref={canvas}
        // Arrow keys reach it also while a screen reader reads the page.
        role="application"
        tabIndex={0}
        aria-label={`${label}: part that is shown`}
        aria-describedby={hintId}
        w="full"
        aspectRatio={`${shape.width}/${shape.height}`}
        cursor="grab"
        touchAction="none"
        _active={{ cursor: 'grabbing' }}
        onKeyDown={onKeyDown}
        onPointerDown={(event) => {
          event.currentTarget.setPointerCapture(event.pointerId);
          last.current = { x: event.clientX, y: event.clientY };
          setIsAnnounced(false);
        }}
        onPointerMove={onPointerMove}
        onPointerUp={stop}
        onPointerCancel={stop}
      />
      <Thirds />
      <Ratio use={use} />
      <VisuallyHidden id={hintId}>Arrow keys move the photo, plus and minus zoom.</VisuallyHidden>
      <VisuallyHidden aria-live="polite">
        {isAnnounced &&
          `Middle ${percent(crop.x)} from left, ${percent(crop.y)} from top, zoom ${percent(crop.zoom)}`}
      </VisuallyHidden>
    </Box>
  );
}

const percent = (share: number) => `${Math.round(share * 100)}%`;

export function Zoom({ picture, crop, use, onChange }: CropProps) {
  const most = maxZoom(picture, photoShapes[use]);
  const id = useId();
  return (
    <div>
      <chakra.label htmlFor={id} fontWeight="600">
        Zoom
      </chakra.label>
      <Slider
        id={id}
        type="range"
        min="1"
        max={most}
        step="any"
        value={crop.zoom}
        disabled={most === 1}
        aria-valuetext={percent(crop.zoom)}
        onChange={({ target }) => onChange({ zoom: Number(target.value) })}
        onKeyDown={(event) => {
          const by = { ArrowUp: 1, ArrowRight: 1, ArrowDown: -1, ArrowLeft: -1 }[event.key];
          if (!by) return;
          // The step of a range without steps differs by browser.
          event.preventDefault();
          onChange({ zoom: crop.zoom + by * zoomStep });
        }}
      />
    </div>
  );
}

const ratios: Record<PhotoUse, string> = { portrait: '4 : 5', face: '1 : 1', icon: '1 : 1' };

/** The ratio of a photo, in its corner. */
export const Ratio = ({ use }: { use: PhotoUse }) => (
  <Box
    aria-hidden
    position="absolute"
    insetStart="2"
    bottom="2"
    px="2"
    bg="fg"
    color="bg"
    fontSize="0.8125rem"
    fontWeight="600"
    lineHeight="1.6"
  >
    {ratios[use]}
  </Box>
);

/** Light with a dark edge, so that it shows on any photo. */
const line = { position: 'absolute', bg: 'white', boxShadow: '0 0 1px black', opacity: 0.7 };

const Thirds = () => (
  <Box aria-hidden pointerEvents="none">
    {['33.33%', '66.67%'].map((place) => (
      <Box key={place} css={{ ...line, insetStart: place, insetBlock: '0', w: '1px' }} />
    ))}
    {['33.33%', '66.67%'].map((place) => (
      <Box key={place} css={{ ...line, top: place, insetInline: '0', h: '1px' }} />
    ))}
  </Box>
);

// A border, since forced colours remove the background.
const track = { h: '4px', boxSizing: 'border-box', border: '2px solid {colors.fg}' };
const thumb = {
  appearance: 'none',
  boxSize: '22px',
  bg: 'bg',
  border: '4px solid {colors.fg}',
  borderRadius: '50%',
};

const Slider = chakra('input', {
  base: {
    display: 'block',
    w: 'full',
    h: '11',
    appearance: 'none',
    bg: 'transparent',
    cursor: 'pointer',
    _disabled: { opacity: 0.4, cursor: 'not-allowed' },
    '&::-webkit-slider-runnable-track': track,
    '&::-moz-range-track': track,
    '&::-webkit-slider-thumb': { ...thumb, mt: '-11px' },
    '&::-moz-range-thumb': { ...thumb, boxSizing: 'border-box' },
  },
});
