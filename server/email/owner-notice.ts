/** Records what is done with the owner's rights, and tells the owner of what a thief could have done. */
import type { Statements } from '../database/database.ts';
import { logAct, type OwnerAct } from '../database/owner-log.ts';
import { minuteMs } from '../time/units.ts';
import type { OutboxEmail } from './email.ts';
import { queueEmail } from './store.ts';

/** An act with the email about it, which goes to the addresses that the owner had before. */
export interface ReportedAct extends OwnerAct {
  /** Undefined where the owner need not hear of it, or has no mail server. */
  notice?: OutboxEmail | undefined;
}

/**
 * How long only the process that replaces the mail server sends the notices of before, in ms; then any instance does.
 * Longer than a worker's lease and a trial together, so that no email that a worker sends is due at the same time.
 */
const heldMs = 10 * minuteMs;

/** When the notices that an act at this time holds are due. */
export const heldUntil = (at: number) => at + heldMs;

/** Adds an act to the owner's log and queues its notice, in the caller's transaction. */
export function* recordAct({ notice, ...act }: ReportedAct): Statements<void> {
  yield* logAct(act);
  if (notice) yield* queueEmail(notice, act.at);
}
