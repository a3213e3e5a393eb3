/** One entry of a list, folded or open, with what moves and deletes it. */
import { Box, chakra, Flex, Heading, Text } from '@chakra-ui/react';
import { type PointerEvent, type ReactNode, useRef } from 'react';
import { isGroup, isWithin, valueAt } from '../../server/contract/document-changes.ts';
import { DownIcon } from '../ui/icons.tsx';
import { controlId, useEditor } from './context.ts';
import { IconButton } from './icon-button.tsx';
import { downIcon, trashIcon, upIcon } from './icons.tsx';
import { ChangedDot } from './marks.tsx';
import { inWords } from './words.ts';

export function ListEntry({
  path,
  name,
  isOpen,
  onOpen,
  isLocked,
  onDrop,
  onMove,
  onRemove,
  children,
}: {
  path: string;
  name: string;
  isOpen: boolean;
  onOpen: (isOpen: boolean) => void;
  isLocked: boolean;
  /** Receives the height in the window at which the grip was released. */
  onDrop: (y: number) => void;
  onMove: (by: -1 | 1) => void;
  onRemove: (() => void) | undefined;
  children: ReactNode;
}) {
  const { state, fields } = useEditor();
  const value = valueAt(state.document, path);
  const isFolding = isGroup(value);
  const isChanged = state.changes.some((one) => isWithin(one.path, [path]));
  const actions = !isLocked && (
    <Flex gap="0">
      <IconButton label={`Move ${name} up`} data-move="-1" onClick={() => onMove(-1)}>
        {upIcon}
      </IconButton>
      <IconButton label={`Move ${name} down`} data-move="1" onClick={() => onMove(1)}>
        {downIcon}
      </IconButton>
      {onRemove && (
        <IconButton label={`Delete ${name}`} onClick={onRemove}>
          {trashIcon}
        </IconButton>
      )}
    </Flex>
  );
  if (!isFolding) {
    return (
      <Box position="relative">
        {children}
        <Box position="absolute" top="0" insetEnd="0">
          {actions}
        </Box>
      </Box>
    );
  }
  if (!isOpen) {
    return (
      <Flex align="center" borderBottom="1px solid" borderColor="hairline">
        {!isLocked && <Grip onDrop={onDrop} />}
        <chakra.button
          type="button"
          id={controlId(path)}
          aria-expanded={false}
          onClick={() => onOpen(true)}
          display="flex"
          alignItems="center"
          gap="2"
          flex="1"
          minW="0"
          minH="12"
          textAlign="start"
          cursor="pointer"
          _hover={{ textDecoration: 'underline', textUnderlineOffset: '4px' }}
        >
          {isChanged && <ChangedDot />}
          <Text as="span" flex="1" truncate>
            {inWords(value, path, fields) || name}
          </Text>
          <Box as="span" transform="rotate(-90deg)" aria-hidden>
            <DownIcon />
          </Box>
        </chakra.button>
      </Flex>
    );
  }
  return (
    <Box borderBottom="1px solid" borderColor="hairline" pb="3">
      <Flex align="center" justify="space-between" minH="12">
        <Heading as="h3" textStyle="body" fontWeight="700">
          <chakra.button
            type="button"
            aria-expanded
            cursor="pointer"
            minH="11"
            onClick={() => onOpen(false)}
          >
            {name}
          </chakra.button>
        </Heading>
        {actions}
      </Flex>
      {children}
    </Box>
  );
}

/** Drags its entry; the arrow buttons of the open entry do the same. */
function Grip({ onDrop }: { onDrop: (y: number) => void }) {
  const start = useRef<number>(undefined);
  const row = (event: PointerEvent<HTMLElement>) =>
    event.currentTarget.closest<HTMLElement>('[data-entry]');
  const shift = (event: PointerEvent<HTMLElement>, offset: number | undefined) => {
    const style = row(event)?.style;
    if (!style) return;
    style.transform = offset === undefined ? '' : `translateY(${offset}px)`;
    style.opacity = offset === undefined ? '' : '0.6';
  };
  return (
    <Box
      aria-hidden
      px="2"
      py="3"
      ms="-2"
      color="fg.muted"
      cursor="grab"
      touchAction="none"
      onPointerDown={(event) => {
        event.currentTarget.setPointerCapture(event.pointerId);
        start.current = event.clientY;
      }}
      onPointerMove={(event) => {
        if (start.current !== undefined) shift(event, event.clientY - start.current);
      }}
      onPointerUp={(event) => {
        if (start.current === undefined) return;
        start.current = undefined;
        shift(event, undefined);
        onDrop(event.clientY);
      }}
      onPointerCancel={(event) => {
        start.current = undefined;
        shift(event, undefined);
      }}
    >
      <svg width="10" height="16" viewBox="0 0 10 16" fill="currentColor" aria-hidden="true">
        {[2, 8, 14].flatMap((y) =>
          [2, 8].map((x) => <circle key={`${x}${y}`} cx={x} cy={y} r="1.5" />),
        )}
      </svg>
    </Box>
  );
}
