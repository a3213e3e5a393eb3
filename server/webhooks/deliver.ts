/** Sends events to the owner's receiver, as Standard Webhooks says (https://www.standardwebhooks.com). */
import { createHmac } from 'node:crypto';
import type { DeliveryResult } from '../email/smtp.ts';
import type { ClaimedEvent } from '../email/store.ts';
import { codeOf } from '../errors.ts';
import { type OutboundOptions, request } from '../outbound/request.ts';

/** Sends an event once. Never rejects. */
export type DeliverEvent = (event: ClaimedEvent) => Promise<DeliveryResult>;

export interface ReceiverOptions {
  url: string;
  /** `whsec_` and base64: two while one is being replaced. */
  secrets: readonly string[];
  /** Time for connecting and for the status of the response, in ms. */
  timeoutMs?: number;
  /** How to reach a receiver whose address must not lead into a local network; undefined: it may. */
  outbound?: OutboundOptions | undefined;
}

/** The receiver is overloaded or away: the convention asks for a pause. */
const away = new Set([429, 502, 503, 504]);

/**
 * Creates the function that sends an event. Only a 2xx accepts it: redirects are not followed, so that the
 * receiver cannot lead the server to other addresses. After a 410 it sends nothing more.
 */
export function createEventDelivery({
  url,
  secrets,
  timeoutMs = 15_000,
  outbound = { isAllowed: () => true },
}: ReceiverOptions): DeliverEvent {
  const keys = secrets.map((secret) => Buffer.from(secret.slice('whsec_'.length), 'base64'));
  let isGone = false;
  return async ({ id, body }) => {
    if (isGone) return refusal(410);
    const timestamp = String(Math.floor(Date.now() / 1000));
    const signed = `${id}.${timestamp}.${body}`;
    const signal = AbortSignal.timeout(timeoutMs);
    try {
      const response = await request(new URL(url), {
        ...outbound,
        method: 'POST',
        signal,
        headers: {
          'content-type': 'application/json',
          'content-length': Buffer.byteLength(body),
          'user-agent': 'Shingle',
          'webhook-id': id,
          'webhook-timestamp': timestamp,
          'webhook-signature': keys.map((key) => `v1,${hmac(key, signed)}`).join(' '),
        },
        body,
      });
      // Only the status counts: a long body would fill the memory.
      response.destroy();
      const { statusCode: status = 0 } = response;
      if (status >= 200 && status < 300) return { status: 'sent' };
      isGone = status === 410;
      return away.has(status) ? { ...refusal(status), status: 'unreachable' } : refusal(status);
    } catch (error) {
      const code = signal.aborted ? 'ETIMEDOUT' : (codeOf(error) ?? 'Error');
      return { status: 'unreachable', error: `no answer (${code})`, code };
    }
  };
}

const hmac = (key: Buffer, text: string) => createHmac('sha256', key).update(text).digest('base64');

function refusal(status: number) {
  const code = `HTTP ${status}`;
  return { status: 'refused' as const, isFinal: status === 410, error: code, code };
}
