import type { ReportedAct } from '../email/owner-notice.ts';
import type { PaymentLink } from '../sales/stripe/account.ts';
import type { Connections } from './connections.ts';
import type { ConnectionName, StoredValues } from './values.ts';

/** What a trial found. */
export interface Trial {
  /** What to tell the owner beside the connection. */
  hint?: string;
  /** Why the value cannot be used, and what to do. */
  problem?: string;
  /** What the other server has added to the value, or made useless in it (undefined). */
  adds?: object;
  /** Undoes at the other server what the trial made there, when the value was not stored. Never rejects. */
  undo?(): Promise<void>;
  /** Deletes there what the value replaces, once the site uses it. Never rejects. */
  finish?(): Promise<void>;
}

/** How a connection works at this moment. Times are milliseconds since 1970, UTC. */
export interface ConnectionHealth {
  checkedAt?: number | undefined;
  /** What is wrong and what to do, as a sentence. */
  problem?: string | undefined;
  /** When the newest stored event of Stripe was made. */
  lastEventAt?: number | undefined;
  /** How each entry of a connection works that has several, by its id. */
  items?: Record<string, ItemHealth>;
}

interface ItemHealth extends Pick<ConnectionHealth, 'checkedAt' | 'problem'> {
  /** Busy times in the next seven days. */
  busyTimes?: number | undefined;
}

/** The services of the procedures `connections.*`. */
export interface ConnectionServices {
  connections: Pick<Connections, 'read' | 'one' | 'replace' | 'setBy' | 'fieldsSetBy'> & {
    /** Tries a value in place of the one `before`, before it is stored. */
    try(
      name: ConnectionName,
      value: StoredValues[ConnectionName],
      before: StoredValues[ConnectionName],
    ): Promise<Trial>;
    /** Deletes at the other server what the site made there for a connection that was cleared. Never rejects. */
    release(values: StoredValues): Promise<void>;
    /** Sends the notice of a change of this connection and those that it holds, before it is applied. Never rejects. */
    notify(name: ConnectionName, act: ReportedAct): Promise<void>;
    health(name: ConnectionName): Promise<ConnectionHealth>;
    /** The Payment Links of the owner's account at Stripe; or, as a sentence, why they cannot be read. */
    paymentLinks(): Promise<PaymentLink[] | string>;
    /** Resolves once this instance uses what is stored; others follow within seconds. */
    apply(): Promise<void>;
  };
}
