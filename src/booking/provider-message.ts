/**
 * What the calendar in `frame` tells the page, by the provider's own name for it, such as
 * `calendly.event_type_viewed` (Calendly) or `linkReady` (Cal.com). Undefined for a message that
 * comes from anywhere else, or that is none of theirs.
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

/** Whether an event says that a time was booked: Calendly's, and Cal.com's two versions. */
export const isBooked = (event: string): boolean =>
  /^(calendly\.event_scheduled|bookingSuccessful(V2)?)$/.test(event);
