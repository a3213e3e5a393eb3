/**
 * Tooltips: additional text about a control, on hover and keyboard focus. Touch never shows one, so
 * the text must not be essential.
 */
import { mergeProps } from '@chakra-ui/react';
import {
  cloneElement,
  createContext,
  type HTMLAttributes,
  lazy,
  type PointerEvent,
  type ReactElement,
  type ReactNode,
  Suspense,
  useContext,
  useEffect,
  useMemo,
  useRef,
  useState,
} from 'react';
import { ErrorBoundary } from './error-boundary.tsx';
import type { Intent } from './tooltip-popup.tsx';

const TooltipPopup = lazy(() =>
  import('./tooltip-popup.tsx').then((m) => ({ default: m.TooltipPopup })),
);

/** Hover time before a tooltip opens. */
const openDelayMs = 700;

/** Period after a tooltip has closed in which the next one opens without delay. */
const skipDelayMs = 300;

const SkipContext = createContext({ isSkipping: false, closed: () => {} });

/** Shares the skip delay: shortly after one tooltip below has closed, the next opens at once. */
export function TooltipProvider({ children }: { children: ReactNode }) {
  const [isSkipping, setSkipping] = useState(false);
  const timer = useRef<ReturnType<typeof setTimeout>>(undefined);
  useEffect(() => () => clearTimeout(timer.current), []);
  const value = useMemo(
    () => ({
      isSkipping,
      closed: () => {
        clearTimeout(timer.current);
        setSkipping(true);
        timer.current = setTimeout(() => setSkipping(false), skipDelayMs);
      },
    }),
    [isSkipping],
  );
  return <SkipContext value={value}>{children}</SkipContext>;
}

/**
 * A tooltip for its only child, a control that forwards its props and ref. It is rendered next to the
 * control, not in a portal, so that it works inside a modal dialog. Its code is downloaded when a pointer
 * or the keyboard first reaches such a control: during the delay, and without rendering the control anew.
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
  const { isSkipping, closed } = useContext(SkipContext);
  const [intent, setIntent] = useState<Intent>();
  const [attributes, setAttributes] = useState<HTMLAttributes<HTMLElement>>();
  const start = (pointer?: PointerEvent<HTMLElement>) =>
    setIntent({ at: performance.now(), pointer });
  const end = () => setIntent(undefined);
  const untilLoaded: HTMLAttributes<HTMLElement> = {
    onPointerEnter: (event) => event.pointerType !== 'touch' && start(event),
    onPointerLeave: end,
    onPointerDown: end,
    onFocus: ({ currentTarget }) => currentTarget.matches(':focus-visible') && start(),
    onBlur: end,
  };
  return (
    <>
      {cloneElement(children, mergeProps(attributes ?? untilLoaded, children.props))}
      {intent && (
        <ErrorBoundary fallback={null}>
          <Suspense>
            <TooltipPopup
              text={text}
              intent={intent}
              openDelayMs={isSkipping ? 0 : openDelayMs}
              closeOnClick={closeOnClick}
              onAttributes={setAttributes}
              onClose={closed}
            />
          </Suspense>
        </ErrorBoundary>
      )}
    </>
  );
}
