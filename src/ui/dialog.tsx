import { chakra } from '@chakra-ui/react';
import type { ReactNode } from 'react';
import { site } from '../../site.config.ts';
import { dialog } from '../theme/dialog-recipe.ts';
import { CloseIcon } from './icons.tsx';
import { closes, type DialogId } from './invoker.ts';

const Root = chakra('dialog', dialog, { forwardProps: ['closedby'] });

/**
 * A native modal dialog: opened by a button with `opens(id)`, closed by Esc, by a press outside, and
 * by its Close button, all without a script. Its title takes the focus unless `focusTitle` is false:
 * then whatever inside has `autofocus` does.
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
  /** As wide as its text unless it says otherwise. */
  size?: 'wide' | 'sheet';
  focusTitle?: boolean;
  children: ReactNode;
}) {
  return (
    <Root id={id} data-size={size} closedby="any" aria-labelledby={`${id}-title`}>
      <button {...closes(id)} aria-label={site.labels.close}>
        <CloseIcon />
      </button>
      <chakra.h2
        id={`${id}-title`}
        textStyle="h3"
        pe="12"
        mb="2"
        {...(focusTitle && { tabIndex: -1, autoFocus: true })}
      >
        {title}
      </chakra.h2>
      {children}
    </Root>
  );
}
