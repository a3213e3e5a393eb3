import { chakra, Heading } from '@chakra-ui/react';
import type { ReactNode } from 'react';
import { dialog } from '../theme/dialog-recipe.ts';
import { CloseIcon } from './icons.tsx';
import { closeProps, type DialogId } from './invoker.ts';
import { words } from './site-words.ts';

const Root = chakra('dialog', dialog, { forwardProps: ['closedby'] });

/**
 * A native modal dialog: a button with `openProps(id)` opens it; Esc, a click outside (after half a
 * second) and its Close button close it, all without a script. Its title takes the focus, or, if `focusTitle` is false, the
 * element inside with `autofocus`.
 */
export function Dialog({
  id,
  title,
  size,
  focusTitle = true,
  children,
}: {
  id: DialogId;
  title: string;
  /** 36 rem wide by default. */
  size?: 'wide' | 'sheet';
  focusTitle?: boolean;
  children: ReactNode;
}) {
  return (
    <Root id={id} data-size={size} closedby="any" aria-labelledby={`${id}-title`}>
      <div data-guard="" />
      <button {...closeProps(id)} aria-label={words.labels.close} data-close="">
        <CloseIcon />
      </button>
      <Heading
        id={`${id}-title`}
        textStyle="h3"
        pe="12"
        mb="2"
        {...(focusTitle && { tabIndex: -1, autoFocus: true })}
      >
        {title}
      </Heading>
      {children}
    </Root>
  );
}
