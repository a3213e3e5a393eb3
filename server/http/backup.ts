/** Downloads of a backup by the signed-in owner. */
import type { Socket } from 'node:net';
import { pipeline } from 'node:stream/promises';
import { sentenceFor } from '../health/storage-errors.ts';
import type { OpenBackup } from '../maintenance/backup/download.ts';
import type { Quota, RateLimiter } from '../rate-limit/limiter.ts';
import { hourMs } from '../time/units.ts';
import { ApiError, refuse } from '../trpc/errors.ts';
import { requireAccess } from '../trpc/trpc.ts';
import type { AdapterOptions, Handler } from './handler.ts';

export const backupPath = '/api/backup';

/** Backups read the whole database, so all browsers of the owner together make few. */
const quota: Quota = { max: 6, windowMs: hourMs };

/** When to try again while another backup is made, in ms. */
const busyMs = 30_000;

/** Creates the handler of `GET /api/backup`. */
export function createBackupHandler({
  createContext,
  openBackup,
}: Pick<AdapterOptions, 'createContext'> & {
  openBackup: (signal: AbortSignal) => Promise<OpenBackup>;
}): Handler {
  let isBusy = false;
  const make = async (limiter: RateLimiter, signal: AbortSignal) => {
    if (isBusy) throw new ApiError('RATE_LIMITED', { wait: busyMs });
    isBusy = true;
    try {
      refuse(await limiter.consume('backup', quota));
      return await openBackup(signal);
    } catch (error) {
      if (error instanceof ApiError) throw error;
      const reason = sentenceFor(error) ?? (error instanceof Error ? error.message : String(error));
      throw new ApiError('BACKUP_FAILED', { words: { reason }, cause: error });
    } finally {
      isBusy = false;
    }
  };
  return async (req, res) => {
    const ctx = createContext(req, res);
    const { request, limiter } = ctx;
    // The session cookie comes with a link on another site, too.
    if (request.isForeign || request.isPrefetch) {
      throw new ApiError('FOREIGN_ORIGIN');
    }
    await requireAccess(ctx, { session: true, isSensitive: true });
    // Only making a backup shows its size.
    if (req.method === 'HEAD')
      return void res.writeHead(200, { 'Cache-Control': 'no-store' }).end();
    const gone = new AbortController();
    res.once('close', () => gone.abort());
    try {
      const { name, bytes, file } = await untimed(req.socket, () => make(limiter, gone.signal));
      await ctx.signInLog.downloaded(ctx.act('backup_downloaded', name));
      res.writeHead(200, {
        'Content-Type': 'application/vnd.sqlite3',
        'Content-Length': bytes,
        'Content-Disposition': `attachment; filename="${name}"`,
        'Cache-Control': 'no-store',
      });
      await pipeline(file.createReadStream(), res);
    } catch (error) {
      // The owner cancelled the download.
      if (!gone.signal.aborted) throw error;
    }
  };
}

/** Calls `work` without the timeout of the socket: a large backup is made for longer, and sends nothing meanwhile. */
async function untimed<T>(socket: Socket, work: () => Promise<T>): Promise<T> {
  const { timeout = 0 } = socket;
  socket.setTimeout(0);
  try {
    return await work();
  } finally {
    socket.setTimeout(timeout);
  }
}
