import { chakra } from '@chakra-ui/react';
import {
  type CSSProperties,
  type FocusEvent,
  useCallback,
  useEffect,
  useRef,
  useState,
  useSyncExternalStore,
} from 'react';
import { createPortal } from 'react-dom';
import { CloseIcon } from '../ui/icons.tsx';
import { words } from '../ui/site-words.ts';
import { useSwipeRight } from './toast-swipe.ts';

/** How long a toast is shown, fades out, and is kept after that. */
export const displayTimeMs = 5000;
export const fadeTimeMs = 150;
export const removeDelayMs = 1_000_000;

/** How often the toast checks whether its time is paused. */
const tickMs = 100;

/**
 * Returns the current toast, to be rendered, and a function that shows a text as an alert in the
 * corner of the page. A new toast replaces the current one.
 */
export function useToast() {
  const [message, setMessage] = useState<{ id: number; text: string }>();
  const show = (text: string) => setMessage((last) => ({ id: (last?.id ?? 0) + 1, text }));
  const remove = useCallback(() => setMessage(undefined), []);
  const toast = message && <Toast key={message.id} text={message.text} onRemove={remove} />;
  return { toast, show };
}

function Toast({ text, onRemove }: { text: string; onRemove: () => void }) {
  const [state, setState] = useState<'shown' | 'leaving' | 'dismissed'>('shown');
  // A modal dialog would cover the toast and hide it from screen readers.
  const isDialogOpen = useSyncExternalStore(subscribeToDialogs, hasOpenDialog);
  const isHovered = useRef(false);
  const { hasFocus, focusHandlers } = useFocusReturn(state === 'shown');
  const dismiss = () => setState('leaving');
  const { dx, isDown, handlers } = useSwipeRight(dismiss);

  useEffect(() => {
    if (state !== 'shown') return;
    let remainingMs = displayTimeMs;
    const timer = setInterval(() => {
      const isPaused = isHovered.current || hasFocus.current || document.hidden || hasOpenDialog();
      if (!isPaused) remainingMs -= tickMs;
      if (remainingMs <= 0) setState('leaving');
    }, tickMs);
    const onKeyDown = ({ key }: KeyboardEvent) => {
      // Esc closes an open dialog first.
      if (key === 'Escape' && !hasOpenDialog()) setState('leaving');
    };
    document.addEventListener('keydown', onKeyDown);
    return () => {
      clearInterval(timer);
      document.removeEventListener('keydown', onKeyDown);
    };
  }, [state, hasFocus]);

  useEffect(() => {
    if (state === 'shown') return;
    const timer =
      state === 'leaving'
        ? setTimeout(() => setState('dismissed'), fadeTimeMs)
        : setTimeout(onRemove, removeDelayMs);
    return () => clearTimeout(timer);
  }, [state, onRemove]);

  if (state === 'dismissed') return null;
  return createPortal(
    <Frame
      data-toast=""
      hidden={isDialogOpen}
      data-leaving={state === 'leaving' || undefined}
      data-held={isDown || undefined}
      style={{ '--way': dx } as CSSProperties}
      onPointerEnter={() => {
        isHovered.current = true;
      }}
      onPointerLeave={() => {
        isHovered.current = false;
      }}
      {...handlers}
      {...focusHandlers}
    >
      <p role="alert">{text}</p>
      <CloseButton type="button" aria-label={words.labels.close} onClick={dismiss}>
        <CloseIcon />
      </CloseButton>
    </Frame>,
    document.body,
  );
}

const hasOpenDialog = () => document.querySelector('dialog[open]') !== null;

function subscribeToDialogs(onChange: () => void) {
  const observer = new MutationObserver(onChange);
  observer.observe(document.body, { subtree: true, attributeFilter: ['open'] });
  return () => observer.disconnect();
}

/** Returns the focus to the previous element when a focused toast closes. */
function useFocusReturn(isOpen: boolean) {
  const previous = useRef<Element>(null);
  const hasFocus = useRef(false);
  useEffect(() => {
    if (!isOpen) return;
    return () => {
      if (!hasFocus.current) return;
      if (previous.current instanceof HTMLElement) previous.current.focus();
      else if (document.activeElement instanceof HTMLElement) document.activeElement.blur();
    };
  }, [isOpen]);
  const focusHandlers = {
    onFocus({ currentTarget, relatedTarget }: FocusEvent) {
      if (!currentTarget.contains(relatedTarget)) previous.current = relatedTarget;
      hasFocus.current = true;
    },
    onBlur({ currentTarget, relatedTarget }: FocusEvent) {
      hasFocus.current = currentTarget.contains(relatedTarget);
    },
  };
  return { hasFocus, focusHandlers };
}

const Frame = chakra('div', {
  base: {
    position: 'fixed',
    zIndex: '9',
    bottom: 'max(1rem, env(safe-area-inset-bottom))',
    insetEnd: '4',
    display: 'flex',
    alignItems: 'center',
    gap: '3',
    maxWidth: 'min(100vw - 2rem, 30rem)',
    ps: '5',
    pe: '2',
    py: '2',
    bg: 'bg.inverted',
    color: 'fg.onInverted',
    borderWidth: '2px',
    borderColor: 'hairline',
    borderRadius: 'button',
    '--focus': 'colors.primary.focus',
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
