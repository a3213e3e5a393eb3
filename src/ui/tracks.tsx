import { chakra } from '@chakra-ui/react';

/** The three lines side by side, once they run straight: a rule from edge to edge. */
export function Tracks() {
  return (
    <chakra.div
      aria-hidden="true"
      position="absolute"
      insetX="0"
      top="0"
      h="22px"
      borderBlock="4px solid"
      borderTopColor="line.blue"
      borderBottomColor="line.green"
      _before={{
        content: '""',
        position: 'absolute',
        insetX: '0',
        top: '5px',
        borderTop: '4px solid',
        borderColor: 'line.red',
      }}
    />
  );
}
