import { type Database, run, type Statements } from '../database/database.ts';
import { queueContent, queueOf } from '../email/store.ts';
import { isoOf } from '../time/iso.ts';
import type { EventBody, WebhookEvent } from './event.ts';

export type WebhookStore = ReturnType<typeof createWebhookStore>;

/** Queues an event in the caller's transaction; false when one with this id was queued before. */
export function queueEvent({ id, at, type, data }: WebhookEvent, now: number): Statements<boolean> {
  const body: EventBody = { type, timestamp: isoOf(at), data };
  return queueContent('webhook', id, body, { now, dueAt: now });
}

/** Erases the events that were not delivered, in the caller's transaction: another receiver must not get them. */
export function* eraseUndelivered(): Statements<void> {
  yield* run(eraseEvents);
}

const eraseEvents = `UPDATE outbox SET content = NULL, error = NULL, state = 'erased'
  WHERE channel = 'webhook' AND state IN ('waiting', 'refused')`;

/** Creates the store of the webhooks' events in the outbox. */
export function createWebhookStore(database: Database) {
  return {
    ...queueOf(database, 'webhook', (body) => ({ body })),

    /** Queues an event; false when one with this id was queued before. */
    queue: (event: WebhookEvent, now: number) => database.write(() => queueEvent(event, now)),

    /** Erases events that were queued before `before` (ms since 1970, UTC) and not delivered. */
    eraseOld: (before: number) =>
      database.write(() => run(`${eraseEvents} AND queued_at < ?`, [before])),
  };
}
