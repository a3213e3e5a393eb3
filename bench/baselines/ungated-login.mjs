/** Baseline: a login without a throttle, which hashes every password off the event loop. */
import { scrypt } from 'node:crypto';
import { readFile } from 'node:fs';
import { createServer } from 'node:http';

createServer((req, res) => {
  /** @param {number} status */
  const respond = (status) => res.writeHead(status, { 'Content-Length': 0 }).end();
  if (req.method === 'POST') {
    req.resume();
    const options = { N: 2 ** 15, r: 8, p: 3, maxmem: 2 ** 27 };
    scrypt('a wrong password', 'salt', 32, options, () => respond(401));
    return;
  }
  // Like most servers, read a file for a page.
  readFile('package.json', () => respond(200));
}).listen(Number(process.env.PORT), '127.0.0.1');
