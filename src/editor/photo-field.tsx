/** Chooses a photo, shows which part of it the site takes, and uploads that. */
import { Box, Button, chakra, Flex, Image, Text, VisuallyHidden } from '@chakra-ui/react';
import { type KeyboardEvent, type PointerEvent, useEffect, useId, useRef, useState } from 'react';
import { valueAt } from '../../server/contract/document-changes.ts';
import { type PhotoUse, photoShapes } from '../../server/contract/photos.ts';
import { HttpError } from '../api/http.ts';
import { controlId, useEditor } from './context.ts';
import { FieldFrame } from './field-frame.tsx';
import type { Field } from './fields.ts';
import { type Crop, type CropChange, changed, maxZoom, middle } from './photo-crop.ts';
import { drawPart, photoFiles, readPicture, uploadPhoto } from './photo-files.ts';

const ratios: Record<PhotoUse, string> = { portrait: '4 : 5', face: '1 : 1' };

/** How far a key moves the part, as a share of its size, and how much it zooms. */
const step = 0.05;
const zoomStep = 0.1;

interface Chosen {
  picture: ImageBitmap;
  crop: Crop;
}

/** A photo of the site. */
export function PhotoField({ path, field }: { path: string; field: Field }) {
  const { draft, state, fields, isLocked, select, signedIn } = useEditor();
  const use = field.shape ?? 'portrait';
  const shape = photoShapes[use];
  const label = fields.at(path)?.label ?? '';
  const value = String(valueAt(state.document, path) ?? '');
  const put = (address: string) => draft.edit(path, address, { isWhole: true });
  const [chosen, setChosen] = useState<Chosen>();
  const [problem, setProblem] = useState<string>();
  const [progress, setProgress] = useState('');
  const [hasFailed, setHasFailed] = useState(false);
  const input = useRef<HTMLInputElement>(null);
  const choose = useRef<HTMLButtonElement>(null);
  /** The number of the last choice or upload: an earlier one that ends later changes nothing. */
  const newest = useRef(0);
  const isBusy = progress !== '';

  const picture = chosen?.picture;
  useEffect(() => () => picture?.close(), [picture]);

  const begin = (what: string) => {
    newest.current += 1;
    setProgress(what);
    setProblem(undefined);
    setHasFailed(false);
    const own = newest.current;
    return () => own === newest.current;
  };

  const read = async (file: File) => {
    const isNewest = begin('Reading the photo …');
    const result = await readPicture(file, shape);
    if (!isNewest()) return typeof result === 'string' ? undefined : result.close();
    setProgress('');
    if (typeof result === 'string') setProblem(result);
    else setChosen({ picture: result, crop: middle });
  };

  /** Several moves of a pointer may come before the next rendering. */
  const crop = (change: CropChange) =>
    setChosen((now) => now && { ...now, crop: changed(now.picture, shape, now.crop, change) });

  const upload = async () => {
    if (!chosen) return;
    const isNewest = begin('Preparing the photo …');
    try {
      const files = await photoFiles({ ...chosen, shape });
      const address = await signedIn(() =>
        uploadPhoto(files, (n) => {
          if (isNewest()) setProgress(`Uploading ${n} of ${files.length} …`);
        }),
      );
      if (!isNewest()) return;
      setChosen(undefined);
      put(address);
      // The button that was pressed is gone.
      choose.current?.focus();
    } catch (error) {
      if (!isNewest()) return;
      setProblem(sentenceOf(error));
      setHasFailed(true);
    }
    setProgress('');
  };

  const remove = () => {
    newest.current += 1;
    setProgress('');
    setProblem(undefined);
    setHasFailed(false);
    // A photo that is not used yet goes first.
    if (chosen) setChosen(undefined);
    else put('');
    choose.current?.focus();
  };

  const hasPhoto = chosen !== undefined || value !== '';
  return (
    <FieldFrame path={path} mistake={problem} isGrouped>
      <Box
        display="grid"
        gridTemplateColumns={hasPhoto ? 'minmax(0, 14.5rem) minmax(8.5rem, 1fr)' : undefined}
        gap="4"
        alignItems="start"
        onFocus={() => select(path)}
      >
        {chosen ? (
          <Frame {...chosen} label={label} use={use} onChange={crop} />
        ) : (
          hasPhoto && <Current address={value} label={label} use={use} />
        )}
        <Flex direction="column" gap="2.5" align={hasPhoto ? 'stretch' : 'start'}>
          {chosen && (
            <>
              <Zoom {...chosen} use={use} onChange={crop} />
              <Text textStyle="small" color="fg.muted">
                Drag the photo, or use the arrow keys.
              </Text>
              <Button
                type="button"
                minH="11"
                px="2"
                bg="fg"
                color="bg"
                borderColor="fg"
                aria-disabled={isBusy}
                onClick={() => {
                  if (!isBusy) void upload();
                }}
              >
                {hasFailed ? 'Try again' : 'Use this crop'}
              </Button>
            </>
          )}
          {!isLocked && (
            <Button
              id={controlId(path)}
              ref={choose}
              type="button"
              minH="11"
              px="2"
              onClick={() => input.current?.click()}
            >
              {hasPhoto ? 'Other photo' : 'Choose a photo'}
            </Button>
          )}
          {!isLocked && hasPhoto && (
            <Button type="button" minH="11" px="2" onClick={remove}>
              Remove
            </Button>
          )}
        </Flex>
      </Box>
      <VisuallyHidden>
        <input
          ref={input}
          type="file"
          aria-label={`File of ${label}`}
          tabIndex={-1}
          disabled={isLocked}
          accept="image/jpeg,image/png,image/webp"
          onChange={({ target }) => {
            const [file] = target.files ?? [];
            if (file) void read(file);
            // Choosing the same file again is a change, too.
            target.value = '';
          }}
        />
      </VisuallyHidden>
      <Text role="status" textStyle="small" color="fg.muted" mt={isBusy ? '2' : undefined}>
        {progress}
      </Text>
    </FieldFrame>
  );
}

/** What to tell the owner after a failed upload. */
function sentenceOf(error: unknown): string {
  if (!(error instanceof HttpError)) {
    return 'The photo did not reach the site. Please check your connection.';
  }
  if (error.status === 401) return 'You are signed out. Sign in again, then try again.';
  return error.sentence ?? 'The photo could not be stored. Please try again.';
}

interface FrameProps extends Chosen {
  use: PhotoUse;
  onChange: (change: CropChange) => void;
}

/** The part of the picture that is used, with lines at its thirds. */
function Frame({ picture, crop, label, use, onChange }: FrameProps & { label: string }) {
  const shape = photoShapes[use];
  const canvas = useRef<HTMLCanvasElement>(null);
  /** Whether the last change came from a key, and is told to screen readers. */
  const [isTold, setIsTold] = useState(false);
  const last = useRef<{ x: number; y: number }>(undefined);
  const hintId = useId();

  useEffect(() => {
    const element = canvas.current;
    if (!element) return;
    drawPart(element, { picture, shape, crop }, element.clientWidth * devicePixelRatio);
  }, [picture, shape, crop]);
  // Cropping is what comes next, by keyboard too.
  // biome-ignore lint/correctness/useExhaustiveDependencies: with each other picture
  useEffect(() => canvas.current?.focus(), [picture]);

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
    setIsTold(true);
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
          setIsTold(false);
        }}
        onPointerMove={onPointerMove}
        onPointerUp={stop}
        onPointerCancel={stop}
      />
      <Thirds />
      <Ratio use={use} />
      <VisuallyHidden id={hintId}>Arrow keys move the photo, plus and minus zoom.</VisuallyHidden>
      <VisuallyHidden aria-live="polite">
        {isTold &&
          `Middle ${percent(crop.x)} from left, ${percent(crop.y)} from top, zoom ${percent(crop.zoom)}`}
      </VisuallyHidden>
    </Box>
  );
}

const percent = (share: number) => `${Math.round(share * 100)}%`;

function Zoom({ picture, crop, use, onChange }: FrameProps) {
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

/** The photo as it is stored. */
function Current({ address, label, use }: { address: string; label: string; use: PhotoUse }) {
  const shape = photoShapes[use];
  return (
    <Box
      position="relative"
      borderWidth="2px"
      borderColor="fg"
      bg="bg.tint"
      aspectRatio={`${shape.width}/${shape.height}`}
      overflow="hidden"
    >
      {address.startsWith('/photos/') ? (
        <Image src={address} alt={label} w="full" h="full" objectFit="cover" />
      ) : (
        // The build has replaced the file by smaller ones.
        <Text p="3" textStyle="small" overflowWrap="anywhere">
          {`${address.slice(1)}, from the folder public`}
        </Text>
      )}
      <Ratio use={use} />
    </Box>
  );
}

const Ratio = ({ use }: { use: PhotoUse }) => (
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

const track = { h: '4px', bg: 'fg' };
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
    '&::-webkit-slider-thumb': { ...thumb, mt: '-9px' },
    '&::-moz-range-thumb': { ...thumb, boxSizing: 'border-box' },
  },
});
