/** What the parts of *Hours and calls* share: what they are made of, and the way back from a deletion. */
import { Button, Flex, Heading } from '@chakra-ui/react';
import { createContext, type ReactNode, useContext, useEffect, useId, useRef } from 'react';

export type PartName = 'Week' | 'Holidays' | 'Call';

/** What was removed last, while that is the last change. */
interface Removed {
  part: PartName;
  words: string;
}

interface Removals {
  removed: Removed | undefined;
  /** Does what removes something, and leaves a row with Undo in this part. */
  remove: (removed: Removed, act: () => void) => void;
  undo: () => void;
}

export const RemovalsContext = createContext<Removals | undefined>(undefined);

export function useRemovals(): Removals {
  const removals = useContext(RemovalsContext);
  if (!removals) throw new Error('This component is used outside of the hours panel.');
  return removals;
}

export function Part({
  name,
  title,
  aside,
  children,
}: {
  name: PartName;
  title: string;
  aside?: ReactNode;
  children: ReactNode;
}) {
  const id = useId();
  const heading = useRef<HTMLHeadingElement>(null);
  const { removed, undo } = useRemovals();
  return (
    <section aria-labelledby={id}>
      <Flex
        wrap="wrap"
        align="center"
        columnGap="3"
        minH="11"
        borderBottom="1px solid"
        borderColor="hairline"
      >
        <Heading
          as="h3"
          id={id}
          ref={heading}
          tabIndex={-1}
          outline="none"
          textStyle="h3"
          fontSize="1.375rem"
        >
          {title}
        </Heading>
        {aside}
      </Flex>
      {children}
      {removed?.part === name && (
        <UndoRow
          key={removed.words}
          words={removed.words}
          onUndo={() => {
            undo();
            heading.current?.focus();
          }}
        />
      )}
    </section>
  );
}

function UndoRow({ words, onUndo }: { words: string; onUndo: () => void }) {
  const button = useRef<HTMLButtonElement>(null);
  useEffect(() => button.current?.focus(), []);
  return (
    <Flex wrap="wrap" align="center" columnGap="4" minH="12" px="3" py="1" bg="bg.tint">
      <span>{`Removed: ${words}`}</span>
      <Button ref={button} type="button" variant="plain" minH="11" onClick={onUndo}>
        Undo
      </Button>
    </Flex>
  );
}
