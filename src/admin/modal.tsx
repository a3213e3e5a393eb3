import { chakra, Heading, type SystemStyleObject } from '@chakra-ui/react';
import { type ReactNode, useEffect, useId, useRef } from 'react';
import { dialog } from '../theme/dialog-recipe.ts';
import { CloseIcon } from '../ui/icons.tsx';

/**
 * A modal dialog, open while mounted. It is native rather than Chakra's, because the browser then traps
 * the focus, makes the page inert, and closes it on Esc and a click outside, without a script.
 */
export function Modal({
  title,
  size,
  css,
  onClose,
  children,
}: {
  title: string;
  /** 36 rem wide by default. */
  size?: 'wide';
  css?: SystemStyleObject;
  onClose: () => void;
  children: ReactNode;
}) {
  const id = useId();
  const root = useRef<HTMLDialogElement>(null);
  const heading = useRef<HTMLHeadingElement>(null);
  useEffect(() => {
    if (root.current && !root.current.open) root.current.showModal();
    heading.current?.focus();
  }, []);
  return (
    <Root
      ref={root}
      data-size={size}
      css={[margin, css]}
      closedby="any"
      aria-labelledby={id}
      onClose={onClose}
    >
      <div data-guard="" />
      <button type="button" aria-label="Close" data-close="" onClick={() => root.current?.close()}>
        <CloseIcon />
      </button>
      <Heading ref={heading} id={id} textStyle="h3" pe="12" mb="2" tabIndex={-1}>
        {title}
      </Heading>
      {children}
    </Root>
  );
}

const Root = chakra('dialog', dialog, { forwardProps: ['closedby'] });

/** A margin around the dialog where the recipe does not fill the screen. */
const margin = {
  '@media (min-width: 40.01em)': {
    maxW: 'calc(100vw - 4rem)',
    maxH: 'calc(100dvh - 4rem)',
  },
};
