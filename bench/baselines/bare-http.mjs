/** Baseline: node:http that parses JSON and echoes it. */
import { createServer } from 'node:http';

createServer((req, res) => {
  /** @type {Buffer[]} */
  const chunks = [];
  req.on('data', (chunk) => chunks.push(chunk));
  req.on('end', () => {
    const body = Buffer.from(JSON.stringify(JSON.parse(Buffer.concat(chunks).toString())));
    res.writeHead(200, { 'Content-Type': 'application/json', 'Content-Length': body.length });
    res.end(body);
  });
}).listen(Number(process.env.PORT), '127.0.0.1');
