/** A login as it is often written: every password is hashed as it comes, off the event loop. */
import { scrypt } from 'node:crypto';
import { readFile } from 'node:fs';
import { createServer } from 'node:http';

createServer((req, res) => {
  /** @param {number} status */
  const answer = (status) => res.writeHead(status, { 'Content-Length': 0 }).end();
  if (req.method === 'POST') {
    req.resume();
    const options = { N: 2 ** 15, r: 8, p: 3, maxmem: 2 ** 27 };
    scrypt('a wrong password', 'salt', 32, options, () => answer(401));
    return;
  }
  // What almost every server does for a page: it reads a file.
  readFile('package.json', () => answer(200));
}).listen(Number(process.env.PORT), '127.0.0.1');
