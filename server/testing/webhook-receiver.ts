/** For tests: a webhook receiver, which verifies with the library of the Standard Webhooks convention. */
import type { IncomingHttpHeaders } from 'node:http';
import { Webhook } from 'standardwebhooks';
import { openTestServer } from './http-server.ts';

export const webhookSecret = `whsec_${Buffer.alloc(32, 7).toString('base64')}`;

/** How the receiver responds: with this status, or never. */
type ReceiverBehaviour = number | 'hang';

interface ReceivedEvent {
  id: string;
  type: string;
  timestamp: string;
  data: Record<string, unknown>;
  headers: IncomingHttpHeaders;
}

export interface TestReceiver {
  url: string;
  /** Signed events that it accepted, in order. */
  events: ReceivedEvent[];
  /** Ids of all requests, in order. */
  requests: string[];
  setBehaviour(behaviour: ReceiverBehaviour): void;
  close(): Promise<void>;
}

/** Starts the receiver on a free port. A request with a wrong signature gets a 400. */
export async function openTestReceiver(
  secret = webhookSecret,
  headers: Record<string, string> = {},
): Promise<TestReceiver> {
  const events: ReceivedEvent[] = [];
  const requests: string[] = [];
  let behaviour: ReceiverBehaviour = 204;
  const webhook = new Webhook(secret);
  const { origin, close } = await openTestServer(async (req, res) => {
    const parts: Buffer[] = [];
    for await (const part of req) parts.push(part);
    const id = String(req.headers['webhook-id']);
    requests.push(id);
    if (behaviour === 'hang') return;
    if (behaviour >= 300) return void res.writeHead(behaviour, headers).end('x'.repeat(100_000));
    try {
      const received = webhook.verify(
        Buffer.concat(parts),
        req.headers as Record<string, string>,
      ) as Omit<ReceivedEvent, 'id' | 'headers'>;
      events.push({ id, ...received, headers: req.headers });
      res.writeHead(behaviour).end();
    } catch (error) {
      res.writeHead(400).end(String(error));
    }
  });
  return {
    url: `${origin}/shingle`,
    events,
    requests,
    setBehaviour(next) {
      behaviour = next;
    },
    close,
  };
}
