/** Baseline: one commit for each message, on the same engine with the same durability settings. */
import { randomUUID } from 'node:crypto';
import { createServer } from 'node:http';
import { join } from 'node:path';
import { DatabaseSync } from '@photostructure/sqlite';

const database = new DatabaseSync(join(process.env.DATA_DIR ?? '', 'bare.db'));
database.exec('PRAGMA journal_mode = WAL');
database.exec('PRAGMA synchronous = FULL');
database.exec('CREATE TABLE message (id TEXT PRIMARY KEY, body TEXT NOT NULL) STRICT');
const insert = database.prepare('INSERT INTO message (id, body) VALUES (?, ?)');

createServer((req, res) => {
  /** @type {Buffer[]} */
  const chunks = [];
  req.on('data', (chunk) => chunks.push(chunk));
  req.on('end', () => {
    insert.run(randomUUID(), JSON.stringify(JSON.parse(Buffer.concat(chunks).toString())));
    const body = '{"ok":true}';
    res.writeHead(200, { 'Content-Type': 'application/json', 'Content-Length': body.length });
    res.end(body);
  });
}).listen(Number(process.env.PORT), '127.0.0.1');

// Also keeps `database` reachable: once it is garbage collected, its prepared statement segfaults.
process.on('SIGTERM', () => {
  database.close();
  process.exit();
});
