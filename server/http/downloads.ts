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

/** The content of a file: its name without extension, and its chunks. */
interface Export {
  name: string;
  chunks: AsyncGenerator<string>;
}

interface File {
  type: 'csv' | 'json';
  /** Whether it holds the rows of a window, which the query names. */
  isOfWindow?: true;
  /** The scope of an API key that may read it. */
  scope: Scope;
  /** Throws `VALIDATION` when the query is invalid. */
  open: (ctx: Context, query: URLSearchParams) => Export;
}

/** The files by path. */
export const downloads: Record<string, File> = {
  '/api/analytics/sales.csv': {
    type: 'csv',
    isOfWindow: true,
    scope: 'read:analytics',
    open({ analytics, now }, query) {
      const window = windowIn(query, now());
      return {
        name: `sales-${datesOf(window)}`,
        chunks: csvChunks(analytics.allConversions(window), salesCsv),
      };
    },
  },
  '/api/analytics/activity.csv': {
    type: 'csv',
    isOfWindow: true,
    scope: 'read:analytics',
    open({ analytics, now }, query) {
      const window = windowIn(query, now());
      return {
        name: `activity-${datesOf(window)}`,
        chunks: csvChunks(analytics.allEvents(window), activityCsv),
      };
    },
  },
  '/api/messages.csv': {
    type: 'csv',
    scope: 'read:messages',
    open: ({ contact, now }) => ({
      name: `messages-${dateOf(now())}`,
      chunks: csvChunks(contact.all(), messagesCsv),
    }),
  },
  '/api/messages.json': {
    type: 'json',
    scope: 'read:messages',
    open: ({ contact, now }) => ({
      name: `messages-${dateOf(now())}`,
      chunks: jsonChunks(contact.all(), listed),
    }),
  },
  '/api/bookings.csv': {
    type: 'csv',
    scope: 'read:bookings',
    open: ({ bookings, now }) => ({
      name: `bookings-${dateOf(now())}`,
      chunks: csvChunks(bookings.all(), bookingsCsv),
    }),
  },
  '/api/bookings.json': {
    type: 'json',
    scope: 'read:bookings',
    open: ({ bookings, now }) => ({
      name: `bookings-${dateOf(now())}`,
      chunks: jsonChunks(bookings.all(), withIsoTimes),
    }),
  },
};

const types = { csv: 'text/csv; charset=utf-8', json: 'application/json; charset=utf-8' };

/** Adds the routes of the exports. Each requires the admin or an API key, and rejects other sites. */
export function addDownloads(addRoute: AddRoute, { createContext }: AdapterOptions): void {
  for (const [path, file] of Object.entries(downloads)) {
    addRoute(path, 'api', 'GET', 'HEAD').get(createDownload(file, createContext));
  }
}

const createDownload =
  ({ type, scope, open }: File, createContext: AdapterOptions['createContext']): Handler =>
  async (req, res) => {
    const ctx = createContext(req, res);
    // Another site must not make the owner's browser read the whole database.
    if (ctx.request.isForeign && ctx.request.bearer === undefined) {
      throw new ApiError('FOREIGN_ORIGIN');
    }
    await requireAccess(ctx, { session: true, scope });
    const { name, chunks } = open(ctx, queryOf(req));
    res.writeHead(200, {
      'Content-Type': types[type],
      'Content-Disposition': `attachment; filename="${name}.${type}"`,
      'Cache-Control': 'no-store',
    });
    if (req.method === 'HEAD') return void res.end();
    try {
      await pipeline(chunks, res);
    } catch (error) {
      // The client cancelled the download.
      if (codeOf(error) !== 'ERR_STREAM_PREMATURE_CLOSE') throw error;
    }
  };

function windowIn(query: URLSearchParams, now: number): TimeWindow {
  const input = windowInput.safeParse(Object.fromEntries(query));
  if (!input.success) throw new ApiError('VALIDATION', { cause: input.error });
  return windowOf(input.data, now);
}

/** The UTC dates of a window, for a file name. */
const datesOf = ({ from, to }: TimeWindow) => `${dateOf(from)}-to-${dateOf(to)}`;

/** The UTC date of a time in milliseconds since 1970. */
const dateOf = (at: number) => new Date(at).toISOString().slice(0, 10);
