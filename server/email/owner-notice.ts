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

/** How long only the process that made the act sends its notice, in ms; then any instance does. */
const ownMs = 5 * minuteMs;

/**
 * Adds an act to the owner's log and queues its notice, in the caller's transaction. `isOwn`: this process sends it at
 * once, before another mail server is used.
 */
export function* recordAct(
  { notice, ...act }: ReportedAct,
  { isOwn = false }: { isOwn?: boolean } = {},
): Statements<void> {
  yield* logAct(act);
  if (notice) yield* queueEmail(notice, act.at, isOwn ? act.at + ownMs : act.at);
}
