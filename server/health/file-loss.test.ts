import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { createLog } from '../log.ts';
import { createLossReport, lossAlert } from './file-loss.ts';

it('a loss that could not be saved is no alert once its data is kept, or its files are back', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'shingle-loss-'));
  const now = () => 1000;
  const report = createLossReport({ folder, now, log: createLog('silent', { pretty: false }) });
  const alert = () =>
    lossAlert({ folder, backups: join(folder, 'backups') }, { now: now(), format: String });
  const fail = () => report.onLoss({ files: ['/data/shingle.db'], error: new Error('no room') });
  fail();
  expect(alert()).toMatch(
    /^1000: shingle\.db in DATA_DIR was .* could not save its data\. .*no room/,
  );
  report.onLoss({ files: ['/data/shingle.db'], keptIn: join(folder, 'gone.db') });
  expect(alert()).toBeUndefined();
  fail();
  report.onReturn();
  expect(alert()).toBeUndefined();
  await rm(folder, { recursive: true });
});
