/** Statements of the emails about several messages: the hourly summary and the report of spam. */
import { columns, min } from '../database/columns.ts';
import { all, get, run, type Statements } from '../database/database.ts';
import { idList, listedIds } from '../database/id-list.ts';
import { equalsIgnoringCase, sql } from '../database/sql.ts';
import type { OutboxEmail } from '../email/email.ts';
import { eraseEmails, queueEmail, waitingEmails } from '../email/store.ts';
import type { Flood, ListedMessage } from './message.ts';
import {
  awaitsSummary,
  fieldBytes,
  messages,
  number,
  numberOf,
  summaryColumns,
  summaryWait,
} from './rows.ts';

/** Maximum messages that the spam report lists. */
const reportedMessages = 20;

/**
 * Maximum messages of one summary, and their maximum bytes. Indented as text and escaped as HTML, a
 * message takes at most nine times its bytes, so the email stays below the common limit of 10 MB.
 */
const summaryRows = 500;
const summaryBytes = 350_000;

/** Bytes that a summary adds to a clear message, and bytes of the line of a doubtful one. */
const clearOverhead = 200;
const doubtfulBytes = 500;

/** Writes the spam report from the newest messages and the number of all. */
export type WriteSpamReport = (newest: ListedMessage[], all: number) => OutboxEmail;

/**
 * Queues the email about unread spam that was not reported yet. Returns false when there is none or an
 * email with this id was queued before.
 */
export function* reportSpam(now: number, write: WriteSpamReport): Statements<boolean> {
  const all = yield* numberOf(countUnreported);
  if (all === 0) return false;
  const newest = yield* messages(
    `WHERE ${isUnreported} ORDER BY received_at DESC, id LIMIT ?`,
    [reportedMessages],
    summaryColumns,
  );
  const email = write(newest, all);
  if (!(yield* queueEmail(email, now))) return false;
  yield* run(`UPDATE contact_message SET email_id = ? WHERE ${isUnreported}`, [email.id]);
  return true;
}

const isUnreported = `folder = 'spam' AND email_id IS NULL AND is_read = 0`;
const countUnreported = sql`SELECT ${number} FROM contact_message WHERE ${isUnreported}`;

/** Writes a summary of as many messages as fit into one email, the oldest first. */
export type WriteSummary = (messages: ListedMessage[]) => OutboxEmail;

/**
 * Queues one summary, once the oldest waiting message has waited an hour. Messages with a sign of spam are
 * truncated. Returns false when no summary is due; after true, more messages may wait for another one.
 */
export function* summarize(now: number, write: WriteSummary): Statements<boolean> {
  const oldest = yield* get(selectOldestWaiting);
  const waited = now - (oldest?.at ?? now);
  // A negative wait comes from a clock that was ahead; the summary is due.
  if (waited >= 0 && waited < summaryWait) return false;
  const next = yield* messages(
    `WHERE id IN ${nextForSummary} ORDER BY received_at, id`,
    [],
    summaryColumns,
  );
  if (next.length === 0) return false;
  const email = write(next);
  yield* queueEmail(email, now);
  yield* run(setEmail, [email.id, idList(next.map(({ id }) => id))]);
  return true;
}

const selectOldestWaiting = sql`SELECT ${columns('contact_message', { at: min('received_at') })}
  FROM contact_message WHERE email_id = '${awaitsSummary}'`;

/** The next messages that fit into one summary, at least one, read by the index of waiting messages. */
const nextForSummary = `(
  SELECT id FROM (
    SELECT id, bytes, sum(bytes) OVER (ORDER BY received_at, id) AS total FROM (
      SELECT id, received_at, CASE WHEN suspicions IS NULL
          THEN ${fieldBytes} + ${clearOverhead}
          ELSE ${doubtfulBytes} END AS bytes
      FROM contact_message WHERE email_id = '${awaitsSummary}'
      ORDER BY received_at, id LIMIT ${summaryRows}) AS waiting) AS measured
  WHERE total <= ${summaryBytes} OR total = bytes)`;

const setEmail = sql`UPDATE contact_message SET email_id = ? WHERE id IN ${listedIds}`;

/** Activity of the form in the hour before `now`. */
export function* floodBefore(now: number): Statements<Flood> {
  const inLastHour = yield* numberOf(countSince, [now - summaryWait]);
  const unqueued = yield* numberOf(countWaiting);
  const queued = yield* waitingEmails(`${awaitsSummary}-`);
  if (queued.length === 0) return { inLastHour, waiting: unqueued };
  const inSummaries = yield* numberOf(countInSummaries, [idList(queued)]);
  return { inLastHour, waiting: unqueued + inSummaries };
}

const countSince = sql`SELECT ${number} FROM contact_message
  WHERE received_at > ? AND folder <> 'spam'`;
const countWaiting = sql`SELECT ${number} FROM contact_message WHERE email_id = '${awaitsSummary}'`;

/** Counts the messages of these summaries. The range condition is that of the partial index. */
const countInSummaries = sql`SELECT ${number} FROM contact_message
  WHERE email_id >= '${awaitsSummary}-' AND email_id < '${awaitsSummary}.'
    AND email_id IN ${listedIds}`;

/**
 * Erases the emails about messages from an address. Reports and summaries also cover other senders, whose
 * messages the next ones include again.
 */
export function* eraseEmailsAbout(sender: string): Statements<void> {
  const about = yield* all(emailsAbout, [sender]);
  const erased = yield* eraseEmails(
    sender,
    about.flatMap(({ emailId }) => emailId ?? []),
  );
  yield* run(releaseMessages, [idList(erased)]);
}

const emailsAbout = sql`SELECT DISTINCT ${columns('contact_message', { emailId: 'email_id' })} FROM contact_message
  WHERE email_id IS NOT NULL AND ${equalsIgnoringCase('email')}`;

/** Makes the messages of erased emails wait for the next summary or report. */
const releaseMessages = sql`UPDATE contact_message
  SET email_id = CASE WHEN email_id LIKE '${awaitsSummary}-%' THEN '${awaitsSummary}' END
  WHERE email_id IN ${listedIds}`;
