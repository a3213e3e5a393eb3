/** An event outlives a kill between the commit of its fact and its delivery. */
import { expect, it } from 'vitest';
import { createLog } from '../../log.ts';
import { startWebhooks } from '../../webhooks/worker.ts';
import { engines } from '../engines.ts';
import { browser } from '../site.ts';
import { openTestReceiver, webhookSecret } from '../webhook-receiver.ts';
import { seedPassword, startServer } from './server-process.ts';

const hour = 60 * 60_000;

it.each(engines)(
  'event is delivered under the same id when the server was killed before, on $name',
  async (engine) => {
    const database = await engine.create();
    await seedPassword({ DATA_DIR: '', ...database.env });
    const receiver = await openTestReceiver();
    receiver.setBehaviour('hang');
    const { origin, child, ended } = await startServer({
      ...database.env,
      WEBHOOK_URL: receiver.url,
      WEBHOOK_SECRET: webhookSecret,
    });
    const response = await fetch(`${origin}/api/contact`, {
      method: 'POST',
      headers: { 'content-type': 'application/json', 'user-agent': browser, origin },
      body: JSON.stringify({ name: 'Ada', email: 'ada@example.com', message: 'Hello' }),
    });
    expect(response.status).toBe(200);
    await expect.poll(() => receiver.requests.length, { timeout: 20_000 }).toBe(1);
    child.kill('SIGKILL');
    await ended;

    receiver.setBehaviour(204);
    const stores = await database.open();
    const worker = startWebhooks({
      receiver: { url: receiver.url, secrets: [webhookSecret] },
      store: stores.webhooks,
      // The lease of the killed process is over.
      now: () => Date.now() + hour,
      log: createLog('silent', { pretty: false }),
    });
    await expect.poll(() => receiver.events.length, { timeout: 20_000 }).toBe(1);
    await worker.stop();
    expect(await stores.webhooks.state()).toMatchObject({ waiting: 0 });
    const [message] = await stores.contact.list({ limit: 1 });
    await stores.close();
    await receiver.close();
    await database.remove();
    expect(receiver.requests).toEqual(Array(2).fill(`message-received-${message?.id}`));
    expect(receiver.events).toMatchObject([{ type: 'message.received', data: { name: 'Ada' } }]);
  },
  120_000,
);
