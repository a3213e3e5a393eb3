/** Chakra's tooltip. This module is loaded when a pointer or the focus first reaches a control with a tooltip. */
import { Tooltip, useTooltip } from '@chakra-ui/react';
import { type HTMLAttributes, type PointerEvent, useLayoutEffect, useState } from 'react';

/** Why the tooltip is to open, and since when, by `performance.now()`. */
export interface Intent {
  at: number;
  /** Undefined if the keyboard moved the focus to the control. */
  pointer: PointerEvent<HTMLElement> | undefined;
}

/**
 * The tooltip of a control that is rendered beside it. It opens for the intent, as if it had been loaded
 * then, and later by the events of the control, which takes over the attributes of `onAttributes`.
 */
export function TooltipPopup({
  text,
  intent,
  openDelayMs,
  closeOnClick,
  onAttributes,
  onClose,
}: {
  text: string;
  intent: Intent;
  openDelayMs: number;
  closeOnClick: boolean;
  /** Receives the attributes and event handlers of the control, at first and when they change. */
  onAttributes: (attributes: HTMLAttributes<HTMLElement>) => void;
  onClose: () => void;
}) {
  const [waitedMs, setWaitedMs] = useState(0);
  const tooltip = useTooltip({
    interactive: true,
    openDelay: Math.max(0, openDelayMs - waitedMs),
    closeOnClick,
    // Tab scrolls to the control that it focuses, which must not close the tooltip.
    closeOnScroll: false,
    positioning: { strategy: 'fixed', placement: 'top' },
    onOpenChange: ({ open }) => {
      setWaitedMs(0);
      // Chakra also reports a close for a tooltip that never opened.
      if (tooltip.open && !open) onClose();
    },
  });
  const attributes = tooltip.getTriggerProps();

  // biome-ignore lint/correctness/useExhaustiveDependencies: they are new in each render, but change only with `open`
  useLayoutEffect(() => onAttributes(attributes), [tooltip.open]);

  // biome-ignore lint/correctness/useExhaustiveDependencies: later events arrive by the attributes
  useLayoutEffect(() => {
    setWaitedMs(performance.now() - intent.at);
    if (intent.pointer)
      attributes.onPointerMove?.(intent.pointer as PointerEvent<HTMLButtonElement>);
    else tooltip.setOpen(true);
  }, []);

  return (
    <Tooltip.RootProvider value={tooltip} lazyMount unmountOnExit>
      <Tooltip.Positioner>
        <Tooltip.Content>{text}</Tooltip.Content>
      </Tooltip.Positioner>
    </Tooltip.RootProvider>
  );
}
