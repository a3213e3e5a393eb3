import { Box, Button, Flex, Input, type InputProps } from '@chakra-ui/react';
import { type ReactNode, useEffect, useRef, useState } from 'react';
import { StatusLine } from '../admin/status-line.tsx';
import { Field } from '../ui/field.tsx';

/** A text to copy, with its button; `children` stand beside that. */
export function CopyField({
  label,
  value,
  takesFocus = false,
  children,
  ...rest
}: {
  label: string;
  value: string;
  /** Whether it has the focus once it appears. */
  takesFocus?: boolean;
  children?: ReactNode;
} & Pick<InputProps, 'bg' | 'borderStyle'>) {
  const input = useRef<HTMLInputElement>(null);
  useEffect(() => {
    if (takesFocus) input.current?.focus();
  }, [takesFocus]);
  const [status, setStatus] = useState('');
  const copy = async () => {
    try {
      // Missing on a page without https.
      await navigator.clipboard.writeText(value);
      setStatus('Copied.');
    } catch {
      input.current?.select();
      setStatus('Your browser does not let the page copy. The text is selected: copy it yourself.');
    }
  };
  return (
    <>
      <Flex wrap="wrap" align="end" gap="3">
        <Box flex="1 1 12rem" maxW="36rem" minW="0">
          <Field label={label}>
            <Input
              ref={input}
              readOnly
              value={value}
              fontFamily="monospace"
              onFocus={({ target }) => target.select()}
              {...rest}
            />
          </Field>
        </Box>
        <Button type="button" minH="12" aria-description={label} onClick={() => void copy()}>
          Copy
        </Button>
        {children}
      </Flex>
      <StatusLine mt="1" minH="0">
        {status}
      </StatusLine>
    </>
  );
}
