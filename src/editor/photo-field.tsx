/** A photo of the site: the owner chooses it, adjusts its crop and removes it. */
import { Box, Button, Flex, Image, Text, VisuallyHidden } from '@chakra-ui/react';
import { useEffect, useRef } from 'react';
import { valueAt } from '../../server/contract/document-changes.ts';
import { type PhotoUse, photoShapes } from '../../server/contract/photos.ts';
import { MainButton } from '../admin/main-button.tsx';
import { controlId, useEditor } from './context.ts';
import { CropFrame, Ratio, Zoom } from './crop-frame.tsx';
import { FieldFrame } from './field-frame.tsx';
import type { Field } from './fields.ts';
import type { CropChange } from './photo-crop.ts';
import { pendingPhotos, usePendingPhotos } from './use-pending-photos.ts';
import { inWords } from './words.ts';

export function PhotoField({
  path,
  field,
  isStacked = false,
}: {
  path: string;
  field: Field;
  /** Whether the buttons stand below the photo. */
  isStacked?: boolean;
}) {
  const { draft, state, fields, isLocked, select, signedIn } = useEditor();
  const use = field.shape ?? 'portrait';
  const shape = photoShapes[use];
  const label = fields.at(path)?.label ?? '';
  const address = String(valueAt(state.document, path) ?? '');
  const photo = usePendingPhotos().find((one) => one.path === path);
  const isUploading = photo?.phase === 'uploading';
  const isLoading = photo?.phase === 'loading';
  const cropping =
    photo?.isCropShown && photo.picture && photo.source
      ? {
          ...{ picture: photo.picture, crop: photo.source.crop, use },
          onChange: (change: CropChange) => pendingPhotos.adjust(path, change),
        }
      : undefined;
  const current = useRef(path);
  current.current = path;
  useEffect(() => () => pendingPhotos.leave(current.current), []);
  /** Whether the owner has asked for the crop, so that cropping is what comes next. */
  const hasAskedForCrop = useRef(false);
  const input = useRef<HTMLInputElement>(null);
  const choose = useRef<HTMLButtonElement>(null);
  const noun = use === 'icon' ? 'picture' : 'photo';
  const hasPhoto = cropping !== undefined || address !== '';
  return (
    <FieldFrame path={path} mistake={photo?.problem} isGrouped>
      <Box
        display="grid"
        gridTemplateColumns={
          hasPhoto && !isStacked ? 'minmax(0, 14.5rem) minmax(8.5rem, 1fr)' : undefined
        }
        gap="4"
        alignItems="start"
        onFocus={() => select(path)}
      >
        {cropping ? (
          <CropFrame {...cropping} label={label} takesFocus={hasAskedForCrop.current} />
        ) : (
          hasPhoto && <Current path={path} address={address} label={label} use={use} />
        )}
        <Flex direction="column" gap="2.5" align={hasPhoto ? 'stretch' : 'start'}>
          {cropping && (
            <>
              <Zoom {...cropping} />
              <Text textStyle="small" color="fg.muted">
                Drag the photo, or use the arrow keys.
              </Text>
              <MainButton
                {...small}
                aria-disabled={isUploading}
                onClick={() => void pendingPhotos.takeCrop(path, signedIn)}
              >
                {photo?.phase === 'failed' ? 'Try again' : 'Use this crop'}
              </MainButton>
            </>
          )}
          {(cropping || isUploading) && (
            <Button {...small} onClick={() => pendingPhotos.cancel(path)}>
              Cancel
            </Button>
          )}
          {!isLocked && !cropping && !isUploading && address.startsWith('/photos/') && (
            <Button
              {...small}
              aria-disabled={isLoading}
              onClick={() => {
                if (isLoading) return;
                hasAskedForCrop.current = true;
                void pendingPhotos.startCrop(path, shape);
              }}
            >
              Crop
            </Button>
          )}
          {!isLocked && (
            <Button
              id={controlId(path)}
              ref={choose}
              {...small}
              onClick={() => input.current?.click()}
            >
              {hasPhoto ? `Other ${noun}` : `Choose a ${noun}`}
            </Button>
          )}
          {!isLocked && !cropping && !isUploading && hasPhoto && (
            <Button
              {...small}
              onClick={() => {
                pendingPhotos.cancel(path);
                draft.edit(path, '', { isWhole: true });
                choose.current?.focus();
              }}
            >
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
            hasAskedForCrop.current = false;
            if (file) void pendingPhotos.choose(path, { file, shape });
            // Choosing the same file again is a change, too.
            target.value = '';
          }}
        />
      </VisuallyHidden>
      <Text role="status" textStyle="small" color="fg.muted" mt={photo?.status ? '2' : undefined}>
        {photo?.status}
      </Text>
    </FieldFrame>
  );
}

/** The buttons beside the photo have little room. */
const small = { type: 'button', minH: '11', px: '2' } as const;

/** The photo as it is stored. */
function Current({
  path,
  address,
  label,
  use,
}: {
  path: string;
  address: string;
  label: string;
  use: PhotoUse;
}) {
  const { fields } = useEditor();
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
        <Text p="3" textStyle="small" overflowWrap="anywhere">
          {inWords(address, path, fields)}
        </Text>
      )}
      <Ratio use={use} />
    </Box>
  );
}
