/**
 * The event in a message from the calendar in `frame`, by the provider's name for it, such as
 * `calendly.event_type_viewed` (Calendly) or `linkReady` (Cal.com). Undefined for a message from
 * another window or origin, and for any other message.
 */
export function providerEvent(
  { source, origin, data }: MessageEvent<unknown>,
  frame: Pick<HTMLIFrameElement, 'contentWindow' | 'src'>,
): string | undefined {
  if (source !== frame.contentWindow || origin !== new URL(frame.src).origin) return undefined;
  const { event, originator, type } = (data ?? {}) as Record<string, unknown>;
  if (typeof event === 'string' && event.startsWith('calendly.')) return event;
  return originator === 'CAL' && typeof type === 'string' ? type : undefined;
}

/** Whether an event means that a time was booked: Calendly's event, or either version of Cal.com's. */
export const isBooked = (event: string): boolean =>
  /^(calendly\.event_scheduled|bookingSuccessful(V2)?)$/.test(event);
