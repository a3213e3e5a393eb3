import { chakra } from '@chakra-ui/react';
import { type CSSProperties, useRef, useSyncExternalStore } from 'react';
import { site } from '../../../site.config.ts';
import { CloseIcon } from '../icons.tsx';
import {
  useDismissOnEscape,
  useFocusReturn,
  usePauseWhileDialogOpen,
  usePauseWhileHidden,
} from './toast-hooks.ts';
import { fadeTimeMs, type Toast, toasts } from './toast-queue.ts';
import { useSwipeRight } from './toast-swipe.ts';

/**
 * Renders the current toast. Place it once on a page, before the first toast: screen readers do not
 * announce a live region that is added together with its text.
 */
export function Toaster() {
  const toast = useSyncExternalStore(toasts.subscribe, toasts.current, () => undefined);
  const isDialogOpen = usePauseWhileDialogOpen();
  const shown = toast && toast.state !== 'dismissed' && !isDialogOpen ? toast : undefined;
  const region = useRef<HTMLDivElement>(null);
  const isOpen = shown?.state === 'shown';
  usePauseWhileHidden();
  useDismissOnEscape(isOpen);
  useFocusReturn(region, isOpen ? shown.id : undefined);
  return (
    <Region
      ref={region}
      onPointerEnter={() => toasts.pause('pointer')}
      onPointerLeave={() => toasts.resume('pointer')}
    >
      <div role="status" aria-live="polite">
        {shown?.kind === 'info' && <Card key={shown.id} toast={shown} />}
      </div>
      {shown?.kind === 'alert' && <Card key={shown.id} toast={shown} />}
    </Region>
  );
}

function Card({ toast }: { toast: Toast }) {
  const { dx, isDown, handlers } = useSwipeRight(toasts.dismiss);
  return (
    <Frame
      data-leaving={toast.state === 'leaving' || undefined}
      data-held={isDown || undefined}
      style={{ '--way': dx } as CSSProperties}
      {...handlers}
    >
      <p role={toast.kind === 'alert' ? 'alert' : undefined}>{toast.text}</p>
      <CloseButton type="button" aria-label={site.labels.close} onClick={toasts.dismiss}>
        <CloseIcon />
      </CloseButton>
    </Frame>
  );
}

const Region = chakra('div', {
  base: {
    position: 'fixed',
    zIndex: '9',
    bottom: 'max(1rem, env(safe-area-inset-bottom))',
    insetEnd: '4',
  },
});

const Frame = chakra('div', {
  base: {
    display: 'flex',
    alignItems: 'center',
    gap: '3',
    maxWidth: 'min(100vw - 2rem, 30rem)',
    ps: '5',
    pe: '2',
    py: '2',
    bg: 'bg.ink',
    color: 'fg.onInk',
    borderWidth: '2px',
    borderColor: 'hairline',
    borderRadius: 'button',
    '--focus': 'colors.sign',
    touchAction: 'pan-y',
    userSelect: 'none',
    transition: `opacity ${fadeTimeMs}ms, translate ${fadeTimeMs}ms`,
    _starting: { opacity: 0 },
    '&[data-leaving]': { opacity: 0 },
    _motionSafe: { translate: 'var(--way)', '&[data-held]': { transition: 'none' } },
  },
});

const CloseButton = chakra('button', {
  base: {
    display: 'grid',
    placeItems: 'center',
    flexShrink: '0',
    boxSize: '11',
    cursor: 'pointer',
  },
});
