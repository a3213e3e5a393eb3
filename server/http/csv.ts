/**
 * The rows of a window as files for a spreadsheet, for the signed-in owner: sent as they are read, a
 * piece at a time, so that a long file costs no more memory than a short one.
 */
import type { IncomingMessage, ServerResponse } from 'node:http';
import { pipeline } from 'node:stream/promises';
import { TRPCError } from '@trpc/server';
import { csvChunks } from '../analytics/csv.ts';
import { activityCsv, salesCsv } from '../analytics/csv-formats.ts';
import { windowInput, windowOf } from '../analytics/rows.ts';
import type { AnalyticsStore, Window } from '../analytics/store.ts';
import type { Context } from '../context.ts';
import { codeOf } from '../error-code.ts';
import { faultOf, sentences } from '../errors.ts';
import { drain } from './body.ts';
import { sendFault } from './fault.ts';
import { queryOf } from './query.ts';
import type { DoorOptions } from './rest.ts';

interface File {
  name: string;
  chunks: (analytics: AnalyticsStore, window: Window) => AsyncGenerator<string>;
}

const files = new Map<string, File>([
  [
    '/api/analytics/sales.csv',
    {
      name: 'sales',
      chunks: (analytics, window) => csvChunks(analytics.allConversions(window), salesCsv),
    },
  ],
  [
    '/api/analytics/activity.csv',
    {
      name: 'activity',
      chunks: (analytics, window) => csvChunks(analytics.allMarks(window), activityCsv),
    },
  ],
]);

/** Whether there is a file at this path. */
export const isCsvPath = (path: string) => files.has(path);

export function createCsvDoor({ createContext, report }: DoorOptions) {
  return async function csvDoor(
    req: IncomingMessage,
    res: ServerResponse,
    path: string,
  ): Promise<void> {
    try {
      if (req.method !== 'GET' && req.method !== 'HEAD') {
        res.setHeader('Allow', 'GET, HEAD');
        throw new TRPCError({ code: 'METHOD_NOT_SUPPORTED', message: sentences.wrongMethod });
      }
      const file = files.get(path);
      if (!file) throw new TRPCError({ code: 'NOT_FOUND', message: sentences.unknownCall });
      const ctx = createContext(req, res);
      await send(req, res, file, ctx);
    } catch (error) {
      // Whoever breaks a download off has not found a fault.
      if (codeOf(error) === 'ERR_STREAM_PREMATURE_CLOSE') return;
      const fault = faultOf(error);
      if (fault.status >= 500) report(error, req);
      // A file that ends too early must not look whole: its connection is broken off.
      if (res.headersSent) return void res.destroy();
      await drain(req);
      sendFault(res, fault);
    }
  };
}

async function send(
  req: IncomingMessage,
  res: ServerResponse,
  { name, chunks }: File,
  ctx: Context,
): Promise<void> {
  if (!(await ctx.session.isAdmin())) {
    throw new TRPCError({ code: 'UNAUTHORIZED', message: sentences.unauthorized });
  }
  const input = windowInput.safeParse(Object.fromEntries(queryOf(req)));
  if (!input.success) throw new TRPCError({ code: 'BAD_REQUEST', cause: input.error });
  const window = windowOf(input.data, ctx.now());
  res.writeHead(200, {
    'Content-Type': 'text/csv; charset=utf-8',
    'Content-Disposition': `attachment; filename="${name}-${dateOf(window.from)}-to-${dateOf(window.to)}.csv"`,
    'Cache-Control': 'no-store',
  });
  if (req.method === 'HEAD') return void res.end();
  await pipeline(chunks(ctx.analytics, window), res);
}

/** The UTC date of a moment. */
const dateOf = (at: number) => new Date(at).toISOString().slice(0, 10);
