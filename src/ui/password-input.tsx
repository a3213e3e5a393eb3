import {
  Box,
  Button,
  Input,
  type InputProps,
  useFieldContext,
  VisuallyHidden,
} from '@chakra-ui/react';
import { type RefObject, useEffect, useState } from 'react';

/**
 * A password control of a `Field`, with a toggle that shows its value. It is uncontrolled, so that the value is never
 * in the markup. It hides the value again on submit, so that the browser treats it as a password.
 */
export function PasswordInput({
  ref,
  ...props
}: Omit<InputProps, 'type'> & { ref: RefObject<HTMLInputElement | null> }) {
  const { control } = useFieldContext().ids;
  // Undefined until the first toggle, so that the status is empty at first.
  const [isVisible, setVisible] = useState<boolean>();

  useEffect(() => {
    const hide = () => setVisible((was) => was && false);
    const form = ref.current?.form;
    form?.addEventListener('submit', hide);
    return () => form?.removeEventListener('submit', hide);
  }, [ref]);

  return (
    <Box position="relative">
      <Input
        {...props}
        ref={ref}
        type={isVisible ? 'text' : 'password'}
        pe="4.25rem"
        spellCheck={false}
        autoCapitalize="none"
      />
      <Button
        type="button"
        variant="plain"
        aria-controls={control}
        onClick={() => setVisible(!isVisible)}
        position="absolute"
        insetEnd="0"
        top="0"
        px="3"
      >
        <span>
          <span>{isVisible ? 'Hide' : 'Show'}</span>
          <VisuallyHidden> password</VisuallyHidden>
        </span>
      </Button>
      <VisuallyHidden role="status" aria-live="polite">
        {isVisible === undefined ? '' : `Your password is ${isVisible ? 'visible' : 'hidden'}`}
      </VisuallyHidden>
    </Box>
  );
}
