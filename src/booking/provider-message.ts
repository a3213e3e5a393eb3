/**
 * Whether a message from the calendar in `frame` reports a booking: Calendly's event, or either
 * version of Cal.com's. False for a message from another window or origin.
 */
export function isBooking(
  { source, origin, data }: MessageEvent<unknown>,
  frame: Pick<HTMLIFrameElement, 'contentWindow' | 'src'>,
): boolean {
  if (source !== frame.contentWindow || origin !== new URL(frame.src).origin) return false;
  const { event, originator, type } = (data ?? {}) as Record<string, unknown>;
  return (
    event === 'calendly.event_scheduled' ||
    (originator === 'CAL' && /^bookingSuccessful(V2)?$/.test(String(type)))
  );
}
