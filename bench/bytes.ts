/**
 * P1, P2, P6: bytes and requests of the pages. The browser tests have budgets for the same numbers.
 */
import { chromium } from '@playwright/test';
import { findBrowser } from '../e2e/browser.ts';
import {
  bytesOf,
  recordTransfers,
  requestsOf,
  visitWithoutInteraction,
} from '../e2e/network-bytes.ts';
import type { Row } from './measure.ts';
import { benchPassword, startShingle } from './processes.ts';

const kB = (bytes: number) => `${(bytes / 1000).toFixed(2)} kB`;

export async function byteRows(): Promise<Row[]> {
  const server = await startShingle();
  const { executablePath, args } = await findBrowser();
  const browser = await chromium.launch({ executablePath, args });
  const address = `http://127.0.0.1:${server.port}`;
  try {
    const visitor = await browser.newPage();
    const transfers = await visitWithoutInteraction(visitor, address);
    const requests = await requestsOf(visitor, transfers);

    const owner = await browser.newPage();
    await owner.request.post(`${address}/api/admin/login`, { data: { password: benchPassword } });
    const dashboard = await recordTransfers(owner);
    await owner.goto(`${address}/analytics`, { waitUntil: 'networkidle' });
    return [
      row(
        'P1',
        'JavaScript of / before any interaction, brotli',
        kB(bytesOf(transfers, 'Script')),
        '≤ 2 kB',
      ),
      row('P2', 'HTML + CSS of /', kB(bytesOf(transfers, 'Document', 'Stylesheet')), '≤ 14 kB'),
      row('P2', 'fonts of /', kB(bytesOf(transfers, 'Font')), '≤ 45 kB'),
      row('P2', 'requests of /, including the icon', String(requests.length), '≤ 5'),
      row(
        'P6',
        'JavaScript of /analytics with all panels',
        kB(bytesOf(dashboard, 'Script')),
        '≤ 150 kB',
      ),
    ];
  } finally {
    await browser.close();
    await server.stop();
  }
}

const row = (target: string, what: string, ours: string, goal: string): Row => ({
  target,
  what,
  ours,
  baseline: 'exact',
  ratio: '–',
  goal,
});
