/**
 * Exports for the owner, as CSV and JSON files. They are streamed in chunks, so memory use does
 * not grow with the size of the file.
 */
import { pipeline } from 'node:stream/promises';
import { activityCsv } from '../analytics/bulk/activity-csv.ts';
import type { TimeWindow } from '../analytics/model.ts';
import { windowInput, windowOf } from '../analytics/rows.ts';
import type { Context } from '../app/context.ts';
import { bookingsCsv } from '../booking/export.ts';
import { withIsoTimes } from '../booking/rows.ts';
import { listed, messagesCsv } from '../contact/inbox.ts';
import type { Scope } from '../contract/scopes.ts';
import { codeOf } from '../errors.ts';
import { salesCsv } from '../sales/csv.ts';
import { csvChunks } from '../text/csv.ts';
import { jsonChunks } from '../text/json-chunks.ts';
import { ApiError } from '../trpc/errors.ts';
import { requireAccess } from '../trpc/trpc.ts';
import type { AdapterOptions, AddRoute, Handler } from './handler.ts';
import { queryOf } from './request/url.ts';

interface File {
  /** The scope of an API key that may read it. */
  scope: Scope;
  /** Whether it holds the rows of a window, which the query names. */
  isOfWindow?: true;
  /** Whether it holds people's data, so that a session asks for the password again. */
  isSensitive: boolean;
  chunks: (ctx: Context, window: TimeWindow) => AsyncGenerator<string>;
}

/** The files by path. */
export const downloads: Record<string, File> = {
  '/api/analytics/sales.csv': {
    scope: 'read:analytics',
    isOfWindow: true,
    isSensitive: true,
    chunks: ({ analytics }, window) => csvChunks(analytics.allConversions(window), salesCsv),
  },
  '/api/analytics/activity.csv': {
    scope: 'read:analytics',
    isOfWindow: true,
    isSensitive: false,
    chunks: ({ analytics }, window) => csvChunks(analytics.allEvents(window), activityCsv),
  },
  '/api/messages.csv': {
    scope: 'read:messages',
    isSensitive: true,
    chunks: ({ contact }) => csvChunks(contact.all(), messagesCsv),
  },
  '/api/messages.json': {
    scope: 'read:messages',
    isSensitive: true,
    chunks: ({ contact }) => jsonChunks(contact.all(), listed),
  },
  '/api/bookings.csv': {
    scope: 'read:bookings',
    isSensitive: true,
    chunks: ({ bookings }) => csvChunks(bookings.all(), bookingsCsv),
  },
  '/api/bookings.json': {
    scope: 'read:bookings',
    isSensitive: true,
    chunks: ({ bookings }) => jsonChunks(bookings.all(), withIsoTimes),
  },
};

/** The name of the file at a path, and its type, which is its extension. */
export function fileAt(path: string): { name: string; type: 'csv' | 'json' } {
  const [name = '', type] = path.slice(path.lastIndexOf('/') + 1).split('.');
  return { name, type: type === 'csv' ? 'csv' : 'json' };
}

const types = { csv: 'text/csv; charset=utf-8', json: 'application/json; charset=utf-8' };

/** Adds the routes of the exports. Each requires the admin or an API key, and rejects other sites. */
export function addDownloads(addRoute: AddRoute, { createContext }: AdapterOptions): void {
  for (const [path, file] of Object.entries(downloads)) {
    addRoute(path, 'api', 'GET', 'HEAD').get(createDownload(path, file, createContext));
  }
}

/** Throws `VALIDATION` when the query is invalid. */
function createDownload(
  path: string,
  { scope, isOfWindow, isSensitive, chunks }: File,
  createContext: AdapterOptions['createContext'],
): Handler {
  const { name, type } = fileAt(path);
  return async (req, res) => {
    const ctx = createContext(req, res);
    // Another site must not make the owner's browser read the whole database.
    if (ctx.request.isForeign && ctx.request.bearer === undefined) {
      throw new ApiError('FOREIGN_ORIGIN');
    }
    await requireAccess(ctx, { session: true, scope, isSensitive });
    const now = ctx.now();
    const window = isOfWindow ? windowIn(queryOf(req), now) : windowOf({}, now);
    const dates = isOfWindow ? `${dateOf(window.from)}-to-${dateOf(window.to)}` : dateOf(now);
    if (isSensitive && ctx.request.bearer === undefined && req.method === 'GET') {
      await ctx.signInLog.downloaded(ctx.act('file_downloaded', `${name}.${type}`));
    }
    res.writeHead(200, {
      'Content-Type': types[type],
      'Content-Disposition': `attachment; filename="${name}-${dates}.${type}"`,
      'Cache-Control': 'no-store',
    });
    if (req.method === 'HEAD') return void res.end();
    try {
      await pipeline(chunks(ctx, window), res);
    } catch (error) {
      // The client cancelled the download.
      if (codeOf(error) !== 'ERR_STREAM_PREMATURE_CLOSE') throw error;
    }
  };
}

function windowIn(query: URLSearchParams, now: number): TimeWindow {
  const input = windowInput.safeParse(Object.fromEntries(query));
  if (!input.success) throw new ApiError('VALIDATION', { cause: input.error });
  return windowOf(input.data, now);
}

/** The UTC date of a time in milliseconds since 1970. */
const dateOf = (at: number) => new Date(at).toISOString().slice(0, 10);
