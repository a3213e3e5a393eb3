import { once } from 'node:events';
import { createServer } from 'node:http';
import { type AddressInfo, connect, type Socket } from 'node:net';
import { expect, it } from 'vitest';
import { faultOf } from '../errors.ts';
import { bodyLimit, readBytes } from './body.ts';

it('bodies that nobody finishes hold so much memory and no more, until their senders go', async () => {
  const server = createServer(async (req, res) => {
    const answer = readBytes(req).then(
      (bytes) => `${bytes.length} bytes`,
      (error: unknown) => String(faultOf(error).status),
    );
    res.end(await answer);
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  const post = async () =>
    (await fetch(`http://127.0.0.1:${port}`, { method: 'POST', body: 'x'.repeat(5000) })).text();
  const stalled: Socket[] = [];
  const stall = async () => {
    const socket = connect(port, '127.0.0.1').on('error', () => {});
    stalled.push(socket);
    const head = `POST / HTTP/1.1\r\nHost: a\r\nContent-Length: ${bodyLimit}\r\n\r\n`;
    socket.write(head);
    await new Promise((sent) => socket.write(Buffer.alloc(bodyLimit - 1), sent));
  };
  try {
    expect(await post()).toBe('5000 bytes');
    for (let n = 0; n < 260; n++) await stall();
    await expect.poll(post).toBe('429');
    for (const socket of stalled) socket.destroy();
    await expect.poll(post).toBe('5000 bytes');
  } finally {
    for (const socket of stalled) socket.destroy();
    server.close();
    server.closeAllConnections();
  }
});
