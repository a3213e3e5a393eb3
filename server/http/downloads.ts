/**
 * Exports for the signed-in owner, as CSV and JSON files. They are streamed in chunks, so memory use does
 * not grow with the size of the file.
 */
import type { IncomingMessage, ServerResponse } from 'node:http';
import { pipeline } from 'node:stream/promises';
import { TRPCError } from '@trpc/server';
import { csvChunks } from '../analytics/csv.ts';
import { activityCsv, salesCsv } from '../analytics/csv-formats.ts';
import { windowInput, windowOf } from '../analytics/rows.ts';
import type { TimeWindow } from '../analytics/store.ts';
import { messagesCsv, messagesJson } from '../contact/message-files.ts';
import { codeOf } from '../error-code.ts';
import type { Context } from '../trpc/context.ts';
import { errorResponseOf, sentences } from '../trpc/errors.ts';
import { drain } from './body.ts';
import { sendErrorResponse } from './error-response.ts';
import { queryOf } from './query.ts';
import type { AdapterOptions } from './rest.ts';

/** The content of a file: its name without extension, and its chunks. */
interface Export {
  name: string;
  chunks: AsyncGenerator<string>;
}

interface File {
  type: 'csv' | 'json';
  /** Throws a `TRPCError` when the query is invalid. */
  open: (ctx: Context, query: URLSearchParams) => Export;
}

const files = new Map<string, File>([
  [
    '/api/analytics/sales.csv',
    {
      type: 'csv',
      open: ({ analytics, now }, query) => {
        const window = windowIn(query, now());
        return {
          name: `sales-${datesOf(window)}`,
          chunks: csvChunks(analytics.allConversions(window), salesCsv),
        };
      },
    },
  ],
  [
    '/api/analytics/activity.csv',
    {
      type: 'csv',
      open: ({ analytics, now }, query) => {
        const window = windowIn(query, now());
        return {
          name: `activity-${datesOf(window)}`,
          chunks: csvChunks(analytics.allEvents(window), activityCsv),
        };
      },
    },
  ],
  [
    '/api/messages.csv',
    {
      type: 'csv',
      open: ({ contact, now }) => ({
        name: `messages-${dateOf(now())}`,
        chunks: csvChunks(contact.all(), messagesCsv),
      }),
    },
  ],
  [
    '/api/messages.json',
    {
      type: 'json',
      open: ({ contact, now }) => ({
        name: `messages-${dateOf(now())}`,
        chunks: messagesJson(contact.all()),
      }),
    },
  ],
]);

const types = { csv: 'text/csv; charset=utf-8', json: 'application/json; charset=utf-8' };

/** Whether the path is that of an export. */
export const isDownload = (path: string) => files.has(path);

/** Creates the handler of the exports, which requires an admin session. */
export function createDownloads({ createContext, report }: AdapterOptions) {
  return async function download(
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
      // The client cancelled the download.
      if (codeOf(error) === 'ERR_STREAM_PREMATURE_CLOSE') return;
      const response = errorResponseOf(error);
      if (response.status >= 500) report(error, req);
      // Destroy the connection, so that the client does not take a truncated file for a complete one.
      if (res.headersSent) return void res.destroy();
      await drain(req);
      sendErrorResponse(res, response);
    }
  };
}

async function send(
  req: IncomingMessage,
  res: ServerResponse,
  { type, open }: File,
  ctx: Context,
): Promise<void> {
  if (!(await ctx.session.isAdmin())) {
    throw new TRPCError({ code: 'UNAUTHORIZED', message: sentences.unauthorized });
  }
  const { name, chunks } = open(ctx, queryOf(req));
  res.writeHead(200, {
    'Content-Type': types[type],
    'Content-Disposition': `attachment; filename="${name}.${type}"`,
    'Cache-Control': 'no-store',
  });
  if (req.method === 'HEAD') return void res.end();
  await pipeline(chunks, res);
}

function windowIn(query: URLSearchParams, now: number): TimeWindow {
  const input = windowInput.safeParse(Object.fromEntries(query));
  if (!input.success) throw new TRPCError({ code: 'BAD_REQUEST', cause: input.error });
  return windowOf(input.data, now);
}

/** The UTC dates of a window, for a file name. */
const datesOf = ({ from, to }: TimeWindow) => `${dateOf(from)}-to-${dateOf(to)}`;

/** The UTC date of a time in milliseconds since 1970. */
const dateOf = (at: number) => new Date(at).toISOString().slice(0, 10);
