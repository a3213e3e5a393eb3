/**
 * Tooltips: additional text about a control, on hover and keyboard focus. Touch never shows one, so
 * the text must not be essential.
 */
import { chakra, mergeProps } from '@chakra-ui/react';
import {
  cloneElement,
  type HTMLAttributes,
  type ReactElement,
  useId,
  useLayoutEffect,
  useRef,
  useState,
} from 'react';

/** Hover time before a tooltip opens. */
const openDelayMs = 700;

/** Time in which the pointer can move from the control to its tooltip. */
const closeDelayMs = 100;

/** Period after a tooltip has closed in which the next one opens without delay. */
const skipDelayMs = 300;

/** Runs in that period. */
let skipTimer: ReturnType<typeof setTimeout> | undefined;

/** Between a tooltip and its control or the window's edge, in px. */
const gap = 8;

/**
 * A tooltip for its only child, a control that forwards its props. It is rendered next to the control, not in
 * a portal, so that it works inside a modal dialog. Chakra's is 18 kB of script (decision 014).
 */
export function Tooltip({
  text,
  closeOnClick = true,
  children,
}: {
  text: string;
  /** Whether a click on the control closes the tooltip. */
  closeOnClick?: boolean;
  children: ReactElement<HTMLAttributes<HTMLElement>>;
}) {
  const id = useId();
  /** The control, while the tooltip is open. */
  const [control, setControl] = useState<HTMLElement>();
  const bubble = useRef<HTMLDivElement>(null);
  const timer = useRef<ReturnType<typeof setTimeout>>(undefined);
  const wait = (delayMs: number, next?: HTMLElement) => {
    clearTimeout(timer.current);
    timer.current = setTimeout(setControl, delayMs, next);
  };
  const closeSoon = () => wait(closeDelayMs);
  const close = () => wait(0);
  useLayoutEffect(() => {
    if (!control || !bubble.current) return;
    place(bubble.current, control);
    const onKeyDown = ({ key }: KeyboardEvent) => key === 'Escape' && setControl(undefined);
    document.addEventListener('keydown', onKeyDown);
    return () => {
      document.removeEventListener('keydown', onKeyDown);
      clearTimeout(skipTimer);
      skipTimer = setTimeout(() => {
        skipTimer = undefined;
      }, skipDelayMs);
    };
  }, [control]);
  const trigger: HTMLAttributes<HTMLElement> = {
    'aria-describedby': control && id,
    onPointerEnter({ currentTarget, pointerType }) {
      if (pointerType !== 'touch') wait(skipTimer ? 0 : openDelayMs, currentTarget);
    },
    onPointerLeave: closeSoon,
    onPointerDown: () => closeOnClick && close(),
    onFocus: ({ currentTarget }) =>
      currentTarget.matches(':focus-visible') && wait(0, currentTarget),
    onBlur: close,
  };
  return (
    <>
      {cloneElement(children, mergeProps(trigger, children.props))}
      {control && (
        <Bubble
          ref={bubble}
          id={id}
          role="tooltip"
          position="absolute"
          w="max-content"
          onPointerEnter={() => wait(0, control)}
          onPointerLeave={closeSoon}
        >
          {text}
        </Bubble>
      )}
    </>
  );
}

/** Places the tooltip above its control, or below it at the window's top edge; both have one offset parent. */
function place(bubble: HTMLElement, control: HTMLElement): void {
  const { left, top, width } = control.getBoundingClientRect();
  const last = document.documentElement.clientWidth - bubble.offsetWidth - gap;
  const x = Math.max(gap, Math.min(left + (width - bubble.offsetWidth) / 2, last));
  const isAbove = top >= bubble.offsetHeight + gap;
  const down = isAbove ? -bubble.offsetHeight - gap : control.offsetHeight + gap;
  bubble.style.left = `${control.offsetLeft + x - left}px`;
  bubble.style.top = `${control.offsetTop + down}px`;
}

/** The box of a tooltip, in inverted colours. */
export const Bubble = chakra('div', {
  base: {
    maxWidth: 'min(17rem, 100vw - 2rem)',
    px: '3',
    py: '2',
    bg: 'fg',
    color: 'bg',
    fontFamily: 'text',
    fontSize: '0.875rem',
    fontWeight: '500',
    lineHeight: '1.4',
    letterSpacing: 'normal',
    textAlign: 'start',
    borderRadius: 'button',
    zIndex: '9',
  },
});
