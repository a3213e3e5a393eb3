/** Receives the deliveries of other services' webhooks: verifies their signatures and parses them. */
import { ZodError } from 'zod';
import type { Log } from '../log.ts';
import { ApiError } from '../trpc/errors.ts';
import { isSigned } from './signature.ts';

/**
 * Processes one delivery: its raw body and the value of its signature header. When it resolves, what it reports is
 * on disk, was before, or does not count. Throws BAD_REQUEST when the signature is wrong or the delivery cannot be
 * read.
 */
export type Webhook = (body: Buffer, signature: string | undefined) => Promise<void>;

interface ReceiverOptions {
  /** Signing secrets: two while one is being replaced. */
  secrets: readonly string[];
  /** By default as Stripe and Calendly sign. */
  isValid?: typeof isSigned;
  /** Stores the parsed delivery, given also as its text. Throws a ZodError when it is not what it must be. */
  store: (delivery: unknown, text: string) => Promise<unknown>;
  log: Log;
  /** What is logged about a delivery that cannot be read. */
  failure: string;
}

/** Creates the function that processes deliveries. */
export const createReceiver =
  ({ secrets, isValid = isSigned, store, log, failure }: ReceiverOptions): Webhook =>
  async (body, signature = '') => {
    if (!isValid({ body, signature, secrets })) throw new ApiError('INVALID_SIGNATURE');
    try {
      const text = body.toString('utf8');
      await store(JSON.parse(text), text);
    } catch (error) {
      if (!(error instanceof ZodError || error instanceof SyntaxError)) throw error;
      // Field names only: their values may hold the data of a visitor or buyer.
      const fields =
        error instanceof ZodError ? error.issues.map(({ path }) => path.join('.')) : [];
      log.error({ fields }, failure);
      throw new ApiError('UNREADABLE_EVENT');
    }
  };
