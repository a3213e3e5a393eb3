import { Flex, type FlexProps } from '@chakra-ui/react';
import { CloseIcon } from '../ui/icons.tsx';
import { useEditor } from './context.ts';
import { IconButton } from './icon-button.tsx';

/** The controls of one entry in a row, and the button that removes it, named after it. */
export function RemovableRow({
  name,
  onRemove,
  children,
  ...props
}: FlexProps & { name: string; onRemove: () => void }) {
  const { isLocked } = useEditor();
  return (
    <Flex gap="1" align="center" {...props}>
      {children}
      {!isLocked && (
        <IconButton label={`Remove ${name}`} onClick={onRemove}>
          <CloseIcon size={16} />
        </IconButton>
      )}
    </Flex>
  );
}
