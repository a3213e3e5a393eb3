import { Button, Flex, type FlexProps, Text } from '@chakra-ui/react';
import { type ReactNode, useEffect, useId, useRef, useState } from 'react';

/** A button that asks before it does what cannot be undone. `children` stand beside it until then. */
export function Confirm({
  label,
  name,
  question,
  confirm,
  keep,
  onConfirm,
  children,
  ...rest
}: {
  /** The button. */
  label: string;
  /** Its name for screen readers, where others have the same label. */
  name?: string;
  question: ReactNode;
  /** The button that does it, and the one that does nothing. */
  confirm: string;
  keep: string;
  onConfirm: () => Promise<void>;
  children?: ReactNode;
} & Pick<FlexProps, 'mt' | 'mb'>) {
  const id = useId();
  const [isAsking, setIsAsking] = useState(false);
  const [isBusy, setIsBusy] = useState(false);
  const opener = useRef<HTMLButtonElement>(null);
  const text = useRef<HTMLParagraphElement>(null);
  useEffect(() => {
    if (isAsking) text.current?.focus();
  }, [isAsking]);

  if (!isAsking) {
    return (
      <Flex {...bar} {...rest}>
        {children}
        <Button type="button" ref={opener} aria-label={name} onClick={() => setIsAsking(true)}>
          {label}
        </Button>
      </Flex>
    );
  }
  const close = () => {
    setIsAsking(false);
    requestAnimationFrame(() => opener.current?.focus());
  };
  const run = async () => {
    setIsBusy(true);
    await onConfirm();
    setIsBusy(false);
    setIsAsking(false);
  };
  return (
    <Flex {...bar} {...rest} role="group" aria-labelledby={id}>
      <Text id={id} ref={text} tabIndex={-1} outline="none" fontWeight="600">
        {question}
      </Text>
      <Button
        type="button"
        bg="line.red"
        borderColor="line.red"
        color="bg"
        aria-busy={isBusy}
        // The second click of a double click on the first button would confirm unread.
        onClick={({ detail }) => void (detail > 1 || isBusy || run())}
      >
        {confirm}
      </Button>
      <Button type="button" variant="plain" onClick={close}>
        {keep}
      </Button>
    </Flex>
  );
}

const bar = { wrap: 'wrap', align: 'center', columnGap: '5', rowGap: '3' } as const;
