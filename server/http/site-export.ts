/** The live site as a `site.config.ts`, for the signed-in owner. */
import { configText } from '../content/config-file.ts';
import { complete, exported } from '../content/document.ts';
import { fieldComments } from '../content/field-comments.ts';
import { ApiError } from '../trpc/errors.ts';
import { requireAccess } from '../trpc/trpc.ts';
import type { AdapterOptions, Handler } from './handler.ts';

export const siteExportPath = '/api/site/export';

/** Creates the handler of `GET /api/site/export`. */
export const createSiteExport =
  ({ createContext }: Pick<AdapterOptions, 'createContext'>): Handler =>
  async (req, res) => {
    const ctx = createContext(req, res);
    // The session cookie comes with a link on another site, too.
    if (ctx.request.isForeign) throw new ApiError('FOREIGN_ORIGIN');
    await requireAccess(ctx, { session: true });
    const { file, isPinned, store } = ctx.content;
    const document = isPinned ? complete(file, file) : await store.liveDocument(file);
    res
      .writeHead(200, {
        'Content-Type': 'text/plain; charset=utf-8',
        'Content-Disposition': 'attachment; filename="site.config.ts"',
        'Cache-Control': 'no-store',
      })
      .end(req.method === 'HEAD' ? undefined : configText(exported(document), fieldComments));
  };
