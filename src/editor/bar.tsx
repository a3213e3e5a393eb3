/** The bar above the form and the preview: what is saved, how the page is shown, and Publish. */
import { Button, Flex, Heading, Text } from '@chakra-ui/react';
import type { ReactNode, Ref } from 'react';
import { MainButton } from '../admin/main-button.tsx';
import { OutIcon } from '../ui/icons.tsx';
import { useEditor } from './context.ts';
import { IconButton } from './icon-button.tsx';
import { clockIcon, redoIcon, undoIcon } from './icons.tsx';
import { isUnsaved } from './pending-photos.ts';
import { StateInWords } from './state-in-words.tsx';
import { usePendingPhotos } from './use-pending-photos.ts';

export function Bar({
  onStep,
  onPublish,
  onHistory,
  headingRef,
  children,
  ...own
}: Parameters<typeof StateInWords>[0] & {
  /** Takes back the last change, or makes it again. */
  onStep: (to: 'undo' | 'redo') => void;
  onPublish: () => void;
  onHistory: () => void;
  headingRef: Ref<HTMLHeadingElement>;
  /** The controls of the preview. */
  children: ReactNode;
}) {
  const { state, isLocked } = useEditor();
  const { changes } = state;
  const photos = usePendingPhotos();
  const isReady =
    changes.length > 0 &&
    state.mistakes.length === 0 &&
    state.conflicts.length === 0 &&
    state.unseen.length === 0 &&
    !photos.some(isUnsaved) &&
    state.save.kind === 'saved';
  return (
    <Flex
      wrap={{ base: 'wrap', lg: 'nowrap' }}
      align="center"
      columnGap="3"
      rowGap="2"
      px="6"
      py="2"
      minH="60px"
      borderBottom="1px solid"
      borderColor="hairline"
      // Phones scroll the page below it.
      position="sticky"
      top="0"
      zIndex="1"
      bg="bg"
    >
      <Flex
        flex="1 1 6rem"
        direction={{ base: 'column', sm: 'row' }}
        align={{ sm: 'center' }}
        wrap={{ sm: 'wrap' }}
        columnGap="3"
        minW="0"
      >
        <Heading
          ref={headingRef}
          as="h1"
          tabIndex={-1}
          outline="none"
          textStyle="h4"
          fontSize={{ base: '1.75rem', lg: '1.375rem' }}
        >
          Site
        </Heading>
        <Flex
          align="center"
          wrap="wrap"
          columnGap="2"
          textStyle="small"
          minW="0"
          role="group"
          aria-label="State of the draft"
        >
          <StateInWords {...own} />
        </Flex>
      </Flex>
      {!isLocked && (
        <>
          <Flex gap="2" align="center" hideBelow="lg">
            {children}
          </Flex>
          <Flex gap="2" align="center">
            <IconButton
              label="Undo"
              borderWidth="2px"
              disabled={!state.canUndo}
              onClick={() => onStep('undo')}
            >
              {undoIcon}
            </IconButton>
            <IconButton
              label="Redo"
              borderWidth="2px"
              hideBelow="sm"
              disabled={!state.canRedo}
              onClick={() => onStep('redo')}
            >
              {redoIcon}
            </IconButton>
            {own.published && changes.length === 0 && (
              <Button asChild minH="11" px="4" fontSize="1rem" hideBelow="sm">
                <a href="/" target="_blank" rel="noreferrer">
                  View your site <OutIcon />
                </a>
              </Button>
            )}
            <Button
              type="button"
              aria-label="History"
              minH="11"
              px={{ base: '2.5', lg: '4' }}
              fontSize="1rem"
              onClick={onHistory}
            >
              {clockIcon}
              <Text as="span" hideBelow="lg">
                History
              </Text>
            </Button>
            <MainButton
              type="button"
              minH="11"
              px="4"
              fontSize="1rem"
              disabled={!isReady}
              onClick={onPublish}
            >
              <span>{changes.length > 0 ? `Publish ${changes.length}` : 'Publish'}</span>
              {changes.length > 0 && (
                <Text as="span" hideBelow="lg" ms="-1">
                  {changes.length === 1 ? 'change' : 'changes'}
                </Text>
              )}
            </MainButton>
          </Flex>
        </>
      )}
    </Flex>
  );
}
