import type { PaymentLink } from '../sales/stripe/account.ts';
import type { Connections } from './connections.ts';
import type { ConnectionName, StoredValues } from './values.ts';

/** What a trial found. */
export interface Trial {
  /** What to tell the owner beside the connection. */
  hint?: string;
  /** Why the value cannot be used, and what to do. */
  problem?: string;
  /** What the other server has added to the value. */
  adds?: object;
}

/** How a connection works at this moment. Times are milliseconds since 1970, UTC. */
export interface ConnectionHealth {
  checkedAt?: number | undefined;
  /** What is wrong and what to do, as a sentence. */
  problem?: string | undefined;
}

/** The services of the procedures `connections.*`. */
export interface ConnectionServices {
  connections: Pick<Connections, 'read' | 'change' | 'setBy'> & {
    /** Tries a value with the other server, before it is stored. */
    try(name: ConnectionName, value: StoredValues[ConnectionName]): Promise<Trial>;
    /** Undoes at the other server what a trial did there. Never rejects. */
    release(values: StoredValues): Promise<void>;
    health(name: ConnectionName): Promise<ConnectionHealth>;
    /** The Payment Links of the owner's account at Stripe; or, as a sentence, why they cannot be read. */
    paymentLinks(): Promise<PaymentLink[] | string>;
    /** Resolves once this instance uses what is stored; others follow within seconds. */
    apply(): Promise<void>;
  };
}
