/** Reads what Calendly and Cal.com deliver about calls that visitors booked there. */
import { z } from 'zod';
import { sourceOf } from '../../attribution/source-name.ts';

/** What a delivery says of one call. Times are milliseconds since 1970, UTC. */
export interface CallReport {
  /** Identifies the call for ever. A call that was moved gets another id. */
  id: string;
  /** `moved`: another call took its place. */
  state: 'booked' | 'moved' | 'cancelled';
  /** When it was booked; null when the delivery does not say that it was. */
  bookedAt: number | null;
  start: number;
  /** The source that the booking link named; null for a direct visit. */
  source: string | null;
  /** Whether it took the place of another call, which counts already. */
  isMove: boolean;
}

const time = z.iso.datetime({ offset: true, local: true }).transform((text) => Date.parse(text));
const id = z.string().min(1).max(300);
const text = z.string().nullish();
const utm = z.object({ utm_source: text, utm_medium: text, utm_campaign: text }).nullish();

/** The source of a visit with these parameters. */
function sourceOfUtm(parameters: z.output<typeof utm>): string | null {
  const named = Object.entries(parameters ?? {}).filter(
    (entry): entry is [string, string] => typeof entry[1] === 'string',
  );
  return sourceOf({ search: `?${new URLSearchParams(named)}`, referrer: '' }, []);
}

const calendlyInvitee = z.object({
  uri: id,
  created_at: time,
  old_invitee: id.nullish(),
  new_invitee: id.nullish(),
  rescheduled: z.boolean().nullish(),
  scheduled_event: z.object({ start_time: time }),
  tracking: utm,
});

const calendlyDelivery = z.discriminatedUnion('event', [
  z.object({ event: z.literal('invitee.created'), payload: calendlyInvitee }),
  z.object({ event: z.literal('invitee.canceled'), payload: calendlyInvitee }),
]);

/** Reads a delivery of Calendly; nothing of an event of another kind. Throws a ZodError. */
export function calendlyCalls(body: unknown): CallReport[] {
  if (isOther(body, 'event', /^invitee\.(created|canceled)$/)) return [];
  const { event, payload } = calendlyDelivery.parse(body);
  const isNew = event === 'invitee.created';
  return [
    {
      id: payload.uri,
      state: isNew ? 'booked' : payload.rescheduled || payload.new_invitee ? 'moved' : 'cancelled',
      // Only its booking counts a call, so a cancellation that arrives first counts none.
      bookedAt: isNew ? payload.created_at : null,
      start: payload.scheduled_event.start_time,
      source: sourceOfUtm(payload.tracking),
      isMove: Boolean(payload.old_invitee),
    },
  ];
}

const calDelivery = z.object({
  triggerEvent: z.enum(['BOOKING_CREATED', 'BOOKING_RESCHEDULED', 'BOOKING_CANCELLED']),
  createdAt: time,
  payload: z.object({
    uid: id,
    rescheduleUid: id.nullish(),
    startTime: time,
    metadata: utm,
  }),
});

/** Reads a delivery of Cal.com; nothing of an event of another kind. Throws a ZodError. */
export function calCalls(body: unknown): CallReport[] {
  if (isOther(body, 'triggerEvent', /^BOOKING_(CREATED|RESCHEDULED|CANCELLED)$/)) return [];
  const { triggerEvent, createdAt, payload } = calDelivery.parse(body);
  const { uid, rescheduleUid, startTime: start, metadata } = payload;
  const source = sourceOfUtm(metadata);
  const isCancelled = triggerEvent === 'BOOKING_CANCELLED';
  const old = rescheduleUid && rescheduleUid !== uid && !isCancelled ? rescheduleUid : undefined;
  const call: CallReport = {
    id: `cal:${uid}`,
    state: isCancelled ? 'cancelled' : 'booked',
    bookedAt: triggerEvent === 'BOOKING_CREATED' || old ? createdAt : null,
    start,
    source,
    isMove: old !== undefined,
  };
  if (old === undefined) return [call];
  const moved = { id: `cal:${old}`, state: 'moved', bookedAt: null, isMove: false } as const;
  return [call, { ...moved, start, source }];
}

/** Whether a delivery names another kind of event: its subscription may include more than calls. */
function isOther(body: unknown, field: string, kinds: RegExp): boolean {
  const kind = (body as Record<string, unknown> | null)?.[field];
  return typeof kind === 'string' && !kinds.test(kind);
}
