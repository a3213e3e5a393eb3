import { Field as ChakraField } from '@chakra-ui/react';
import type { ReactNode } from 'react';

/**
 * A labelled control. Screen readers announce its error when it appears, and with the control.
 *
 *     <Field label="Name"><Input name="name" required /></Field>
 */
export function Field({
  label,
  error,
  isInvalid = false,
  children,
}: {
  label: ReactNode;
  error?: ReactNode;
  /** Whether the value is wrong, rather than the request that sent it. */
  isInvalid?: boolean;
  children: ReactNode;
}) {
  return (
    <ChakraField.Root invalid={isInvalid}>
      <ChakraField.Label>{label}</ChakraField.Label>
      {children}
      {/* Chakra shows its ErrorText for an invalid value only, and some screen readers ignore it. */}
      {error && <ChakraField.HelperText role="alert">{error}</ChakraField.HelperText>}
    </ChakraField.Root>
  );
}
