/**
 * Tooltips: additional text about a control, on hover and keyboard focus. Touch never shows one, so
 * the text must not be essential.
 */
import { Tooltip as ChakraTooltip } from '@chakra-ui/react';
import {
  createContext,
  type ReactElement,
  type ReactNode,
  useContext,
  useEffect,
  useMemo,
  useRef,
  useState,
} from 'react';

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
 * control, not in a portal, so that it works inside a modal dialog.
 */
export function Tooltip({
  text,
  closeOnClick = true,
  children,
}: {
  text: string;
  /** Whether a click on the control closes the tooltip. */
  closeOnClick?: boolean;
  children: ReactElement;
}) {
  const { isSkipping, closed } = useContext(SkipContext);
  const wasOpen = useRef(false);
  return (
    <ChakraTooltip.Root
      interactive
      openDelay={isSkipping ? 0 : openDelayMs}
      closeOnClick={closeOnClick}
      // Tab scrolls to the control that it focuses, which must not close the tooltip.
      closeOnScroll={false}
      positioning={{ strategy: 'fixed', placement: 'top' }}
      onOpenChange={({ open }) => {
        // Chakra also reports a close for a tooltip that never opened.
        if (wasOpen.current && !open) closed();
        wasOpen.current = open;
      }}
    >
      <ChakraTooltip.Trigger asChild>{children}</ChakraTooltip.Trigger>
      <ChakraTooltip.Positioner>
        <ChakraTooltip.Content>{text}</ChakraTooltip.Content>
      </ChakraTooltip.Positioner>
    </ChakraTooltip.Root>
  );
}
