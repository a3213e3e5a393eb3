import { Button, Flex, Text } from '@chakra-ui/react';
import { useEffect, useId, useRef } from 'react';

/** What was done, with the button that takes it back, which has the focus once it appears. */
export function Undo({
  sentence,
  isBusy,
  onUndo,
}: {
  sentence: string;
  isBusy: boolean;
  onUndo: () => void;
}) {
  const id = useId();
  const button = useRef<HTMLButtonElement>(null);
  useEffect(() => button.current?.focus(), []);
  return (
    <Flex wrap="wrap" align="center" columnGap="4" rowGap="2" mt="3" minH="11">
      <Text id={id}>{sentence}</Text>
      <Button
        ref={button}
        type="button"
        minH="11"
        aria-describedby={id}
        aria-busy={isBusy}
        onClick={() => isBusy || onUndo()}
      >
        Undo
      </Button>
    </Flex>
  );
}
