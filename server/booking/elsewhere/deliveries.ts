/** Reads what Calendly and Cal.com deliver about calls that visitors booked there. */
import { z } from 'zod';
import { sourceOf } from '../../attribution/source-name.ts';
import { storableText, toStorable } from '../../text/storable.ts';

/** The report of one call in a delivery. Times are milliseconds since 1970, UTC. */
export interface CallReport {
  /** Identifies the call for ever. A call that was moved gets another id. */
  id: string;
  /** `requested`: the owner has not confirmed it; `moved`: another call took its place. */
  state: 'requested' | 'booked' | 'cancelled' | 'moved';
  /** When it was booked; null when the delivery does not say that it was. */
  bookedAt: number | null;
  start: number;
  /** The source that the booking link named; null for a direct visit. */
  source: string | null;
  /** The call-to-action that the booking link named, which may be any text; null for none. */
  button: string | null;
  /** The id of the call that it took the place of, which counts already; null for none. */
  movedFrom: string | null;
  /** When the delivery was made. */
  reportedAt: number;
}

const time = z.iso.datetime({ offset: true, local: true }).transform((text) => Date.parse(text));
const id = storableText.min(1).max(300);
/** Cleaned instead of rejected: the visitor chose it. */
const text = z.string().transform(toStorable).nullish();
const utm = z
  .object({ utm_source: text, utm_medium: text, utm_campaign: text, utm_content: text })
  .nullish();

/** The visit that these parameters describe, as the page passes it on. */
function visitOf(parameters: z.output<typeof utm>): Pick<CallReport, 'source' | 'button'> {
  const { utm_content: button = null, ...rest } = parameters ?? {};
  const named = Object.entries(rest).filter(
    (entry): entry is [string, string] => typeof entry[1] === 'string',
  );
  const search = `?${new URLSearchParams(named)}`;
  return { source: sourceOf({ search, referrer: '' }, []), button };
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

const calendlyDelivery = z.object({
  event: z.enum(['invitee.created', 'invitee.canceled']),
  created_at: time,
  payload: calendlyInvitee,
});

/** Reads a delivery of Calendly; nothing of an event of another kind. Throws a ZodError. */
export function calendlyCalls(body: unknown): CallReport[] {
  if (isOther(body, 'event', /^invitee\.(created|canceled)$/)) return [];
  const { event, created_at, payload } = calendlyDelivery.parse(body);
  const isNew = event === 'invitee.created';
  return [
    {
      id: payload.uri,
      state: isNew ? 'booked' : payload.rescheduled || payload.new_invitee ? 'moved' : 'cancelled',
      // Only its booking counts a call, so a cancellation that arrives first counts none.
      bookedAt: isNew ? payload.created_at : null,
      start: payload.scheduled_event.start_time,
      ...visitOf(payload.tracking),
      movedFrom: payload.old_invitee ?? null,
      reportedAt: created_at,
    },
  ];
}

const calDelivery = z.object({
  triggerEvent: z.enum([
    'BOOKING_REQUESTED',
    'BOOKING_CREATED',
    'BOOKING_RESCHEDULED',
    'BOOKING_CANCELLED',
    'BOOKING_REJECTED',
  ]),
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
  if (isOther(body, 'triggerEvent', /^BOOKING_(REQUESTED|CREATED|RESCHEDULED|CANCELLED|REJECTED)$/))
    return [];
  const { triggerEvent, createdAt, payload } = calDelivery.parse(body);
  const { uid, rescheduleUid, startTime: start, metadata } = payload;
  const isCancelled = /CANCELLED|REJECTED/.test(triggerEvent);
  const isRequest = triggerEvent === 'BOOKING_REQUESTED';
  const old = rescheduleUid && rescheduleUid !== uid && !isCancelled ? rescheduleUid : undefined;
  const call: CallReport = {
    id: `cal:${uid}`,
    state: isCancelled ? 'cancelled' : isRequest ? 'requested' : 'booked',
    bookedAt: triggerEvent === 'BOOKING_CREATED' || (old && !isRequest) ? createdAt : null,
    start,
    ...visitOf(metadata),
    movedFrom: old === undefined ? null : `cal:${old}`,
    reportedAt: createdAt,
  };
  if (call.movedFrom === null) return [call];
  // The delivery has neither time nor visit of the call that was moved, so any other one replaces them.
  const unknown = { bookedAt: null, source: null, button: null, movedFrom: null, reportedAt: 0 };
  return [call, { ...unknown, id: call.movedFrom, state: 'moved', start }];
}

/** Whether a delivery names another kind of event: its subscription may include more than calls. */
function isOther(body: unknown, field: string, kinds: RegExp): boolean {
  const kind = (body as Record<string, unknown> | null)?.[field];
  return typeof kind === 'string' && !kinds.test(kind);
}
