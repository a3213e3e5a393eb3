/**
 * Tooltips: a word more about a control, for those who point at it or reach it by keyboard. Nobody
 * who needs the text may depend on it, since touch never shows one.
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
import { tooltipStyles } from '../theme/tooltip-recipe.ts';

/** How long a pointer rests on a control before its tooltip opens, in ms. */
const openDelay = 700;

/** How long after one tooltip closed the next one opens at once, in ms. */
const skipDelay = 300;

const Skipping = createContext({ isSkipping: false, closed: () => {} });

/** Lets the tooltips below it know of each other, so that the second one need not be waited for. */
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
        timer.current = setTimeout(() => setSkipping(false), skipDelay);
      },
    }),
    [isSkipping],
  );
  return <Skipping value={value}>{children}</Skipping>;
}

/**
 * A tooltip for the one control inside it, which has to forward its props and ref. It stands beside
 * that control in the document, so that it also works inside a modal dialog.
 */
export function Tooltip({
  text,
  closeOnClick = true,
  children,
}: {
  text: string;
  /** Whether a press of the control closes it. */
  closeOnClick?: boolean;
  children: ReactElement;
}) {
  const { isSkipping, closed } = useContext(Skipping);
  const wasOpen = useRef(false);
  return (
    <ChakraTooltip.Root
      unstyled
      interactive
      openDelay={isSkipping ? 0 : openDelay}
      closeOnClick={closeOnClick}
      // Tab itself scrolls to the control it reaches, and what it opened has to stay.
      closeOnScroll={false}
      positioning={{ strategy: 'fixed', placement: 'top' }}
      onOpenChange={({ open }) => {
        // A close is also told of a tooltip that was left before it opened.
        if (wasOpen.current && !open) closed();
        wasOpen.current = open;
      }}
    >
      <ChakraTooltip.Trigger asChild>{children}</ChakraTooltip.Trigger>
      {/* Until it is measured it is nowhere: in the page's corner it would flash, and a pointer there close it. */}
      <ChakraTooltip.Positioner css={{ '--x': '0px', '--y': '-100vh' }}>
        <ChakraTooltip.Content css={tooltipStyles}>{text}</ChakraTooltip.Content>
      </ChakraTooltip.Positioner>
    </ChakraTooltip.Root>
  );
}
