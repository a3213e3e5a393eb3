/** A photo of the site: the owner chooses it, adjusts its crop and removes it. */
import { Box, Button, Flex, Image, Text, VisuallyHidden } from '@chakra-ui/react';
import { useRef } from 'react';
import { valueAt } from '../../server/contract/document-changes.ts';
import { type PhotoUse, photoShapes } from '../../server/contract/photos.ts';
import { MainButton } from '../admin/main-button.tsx';
import { controlId, useEditor } from './context.ts';
import { CropFrame, Ratio, Zoom } from './crop-frame.tsx';
import { FieldFrame } from './field-frame.tsx';
import type { Field } from './fields.ts';
import { usePhoto } from './use-photo.ts';

export function PhotoField({ path, field }: { path: string; field: Field }) {
  const { state, fields, isLocked, select } = useEditor();
  const use = field.shape ?? 'portrait';
  const label = fields.at(path)?.label ?? '';
  const address = String(valueAt(state.document, path) ?? '');
  const photo = usePhoto(path, { label, shape: photoShapes[use] });
  const { cropping, isBusy } = photo;
  const input = useRef<HTMLInputElement>(null);
  const choose = useRef<HTMLButtonElement>(null);
  const cropButton = useRef<HTMLButtonElement>(null);
  /** The button that was pressed is gone. */
  const focusBack = () =>
    requestAnimationFrame(() => (cropButton.current ?? choose.current)?.focus());
  const noun = use === 'icon' ? 'picture' : 'photo';
  const hasPhoto = cropping !== undefined || address !== '';
  return (
    <FieldFrame path={path} mistake={photo.problem} isGrouped>
      <Box
        display="grid"
        gridTemplateColumns={hasPhoto ? 'minmax(0, 14.5rem) minmax(8.5rem, 1fr)' : undefined}
        gap="4"
        alignItems="start"
        onFocus={() => select(path)}
      >
        {cropping ? (
          <CropFrame
            {...cropping}
            label={label}
            use={use}
            takesFocus={!cropping.isNew}
            onChange={photo.adjust}
          />
        ) : (
          hasPhoto && <Current address={address} label={label} use={use} />
        )}
        <Flex direction="column" gap="2.5" align={hasPhoto ? 'stretch' : 'start'}>
          {cropping && (
            <>
              <Zoom {...cropping} use={use} onChange={photo.adjust} />
              <Text textStyle="small" color="fg.muted">
                Drag the photo, or use the arrow keys.
              </Text>
              <MainButton
                type="button"
                minH="11"
                px="2"
                aria-disabled={isBusy}
                onClick={async () => {
                  if (!isBusy && (await photo.takeCrop())) focusBack();
                }}
              >
                {photo.hasFailed ? 'Try again' : 'Use this crop'}
              </MainButton>
              <Button
                type="button"
                minH="11"
                px="2"
                onClick={() => {
                  photo.cancel();
                  focusBack();
                }}
              >
                Cancel
              </Button>
            </>
          )}
          {!isLocked && !cropping && address.startsWith('/photos/') && (
            <Button
              ref={cropButton}
              type="button"
              minH="11"
              px="2"
              aria-disabled={isBusy}
              onClick={() => {
                if (!isBusy) void photo.startCrop();
              }}
            >
              Crop
            </Button>
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
              {hasPhoto ? `Other ${noun}` : `Choose a ${noun}`}
            </Button>
          )}
          {!isLocked && !cropping && hasPhoto && (
            <Button
              type="button"
              minH="11"
              px="2"
              onClick={() => {
                photo.remove();
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
            if (file) void photo.choose(file);
            // Choosing the same file again is a change, too.
            target.value = '';
          }}
        />
      </VisuallyHidden>
      <Text role="status" textStyle="small" color="fg.muted" mt={photo.status ? '2' : undefined}>
        {photo.status}
      </Text>
    </FieldFrame>
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
