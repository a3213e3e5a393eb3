/**
 * The pages of the draft, or of a version of the history, as the editor shows them: `data-field` names the field of each
 * text, and no script runs. They are rendered for each request; of those that wait, one rendering serves all.
 */
import type { Context } from '../app/context.ts';
import { callFields } from '../booking/calls.ts';
import { createSchedule } from '../booking/schedule.ts';
import { configOf } from '../content/document.ts';
import type { Shown } from '../content/renderer.ts';
import { callNames } from '../contract/calls.ts';
import { isWithin } from '../contract/document-changes.ts';
import type { PageVariables } from '../contract/pages.ts';
import { withWords } from '../contract/words/words.ts';
import { createQueue } from '../queue.ts';
import { dayMs, minuteMs } from '../time/units.ts';
import { ApiError } from '../trpc/errors.ts';
import { requireAccess } from '../trpc/trpc.ts';
import { sendBookPage } from './booking/book-page.ts';
import { sendBooking } from './booking/booking-page.ts';
import type { AdapterOptions, Handler } from './handler.ts';
import type { Pages } from './pages/pages.ts';
import type { Scheme } from './pages/preview.ts';
import { pathOf, queryOf } from './request/url.ts';

export type PreviewName = keyof PageVariables;

export const previewPath = '/api/site/preview/';

/** The pages that have a preview. */
export const previewNames: readonly PreviewName[] = [
  ...(['home', 'privacy', 'imprint', 'not-found', 'contact-sent', 'contact-failed'] as const),
  ...(['book-strategy-call', 'book-inbox-review', 'booking'] as const),
];

/** Renders a page, in which `data-field` names the field of each text and photo. */
export type RenderPreview = (
  shown: Shown,
  page: PreviewName,
  scheme: Scheme | undefined,
) => Promise<Pick<Pages, 'fill'>>;

interface PreviewOptions extends Pick<AdapterOptions, 'createContext'> {
  render: RenderPreview;
}

/** Creates the handler of `GET /api/site/preview/<page>`. */
export function createSitePreview({ createContext, render }: PreviewOptions): Handler {
  const renderOnce = shared(async ({ page, scheme, version }: Wanted, ctx: Context) => {
    const shown = version === undefined ? await draftOf(ctx) : await versionOf(version, ctx);
    return { config: shown.config, pages: await render(shown, page, scheme) };
  });
  return async (req, res) => {
    const ctx = createContext(req, res);
    if (ctx.request.isForeign) throw new ApiError('FOREIGN_ORIGIN');
    await requireAccess(ctx, { session: true });
    const page = previewNames.find((name) => previewPath + name === pathOf(req));
    if (!page) throw new ApiError('NOT_FOUND');
    const search = queryOf(req);
    const scheme = (['light', 'dark'] as const).find((one) => one === search.get('scheme'));
    const version = search.get('version') ?? undefined;
    const { config, pages } = await renderOnce({ page, scheme, version }, ctx);
    const words = withWords(config);
    const draft: Context = {
      ...ctx,
      ...timesOf(config, ctx),
      words,
      callOf: (call) => ({
        title: words.bookingPages[callFields[call]],
        place: config.calls[callFields[call]].place,
      }),
    };
    const call = callNames.find((name) => page === `book-${name}`);
    const query = new URLSearchParams({ timeZone: draft.schedule.timeZone });
    if (call) return sendBookPage({ pages }, draft, { call, res, query });
    if (page === 'booking') return sendBooking({ pages }, draft, await sampleBooking(draft, res));
    const origin = `${req.protocol}://${ctx.request.host}`;
    return pages.fill(res, page, 200, {
      ...sampleFields,
      error: words.errors.emailWrong,
      origin,
    } as never);
  };
}

/** The times that a config offers; those of the live site while the hours of the draft have mistakes. */
function timesOf(
  { calls }: Shown['config'],
  { content, bookings, now, schedule, freeTimes }: Context,
): Pick<Context, 'schedule' | 'freeTimes'> {
  const isWrong = content
    .mistakesIn({ ...content.file, calls }, [])
    .some(({ path }) => isWithin(path, ['calls']));
  if (isWrong) return { schedule, freeTimes };
  const own = createSchedule(calls);
  return {
    schedule: own,
    freeTimes: async (call) => own.free(call, await bookings.busy(own.horizon(call, now())), now()),
  };
}

/** What a request asks for. */
interface Wanted {
  page: PreviewName;
  scheme: Scheme | undefined;
  /** The number of a version in place of the draft, as received. */
  version: string | undefined;
}

/** Calls `render` once at a time. Of calls that want the same and wait, the first one serves all. */
function shared<Result>(render: (wanted: Wanted, ctx: Context) => Promise<Result>): typeof render {
  const waiting = new Map<string, Promise<Result>>();
  const queue = createQueue();
  return (wanted, ctx) => {
    const key = Object.values(wanted).join(' ');
    const known = waiting.get(key);
    if (known !== undefined) return known;
    const rendered = queue(() => {
      waiting.delete(key);
      return render(wanted, ctx);
    });
    waiting.set(key, rendered);
    return rendered;
  };
}

async function draftOf({ content }: Context): Promise<Shown> {
  const { store, photos, file, isPinned } = content;
  const config = isPinned ? file : configOf((await store.state(file)).draft);
  if (!config) throw new ApiError('NOT_FOUND');
  return { config, photos: await photos.photosIn(config) };
}

async function versionOf(version: string, { content }: Context): Promise<Shown> {
  const id = /^\d{1,15}$/.test(version) ? Number(version) : 0;
  const config = configOf(await content.store.version(id, content.file));
  if (!config) throw new ApiError('NOT_FOUND');
  return { config, photos: await content.photos.photosIn(config) };
}

/** What the page of a failed message shows; other pages have no such variables. */
const sampleFields: Omit<PageVariables['contact-failed'], 'error'> = {
  ...{ name: 'Sam Visitor', email: 'sam@', company: '' },
  message: 'Hello!',
};

/** The page of a call that is booked at the first free time. */
async function sampleBooking(ctx: Context, res: Parameters<Handler>[1]) {
  const call = 'strategy-call' as const;
  const [start = ctx.now() + dayMs] = await ctx.freeTimes(call);
  const end = start + ctx.schedule.call(call).minutes * minuteMs;
  const booking = {
    ...{ id: 'preview', call, start, end, gapMs: 0, state: 'booked' as const, sequence: 0 },
    ...{ createdAt: ctx.now(), changedAt: ctx.now(), name: 'Sam Visitor', note: null, answers: {} },
    ...{ email: 'sam@example.com', timeZone: ctx.schedule.timeZone, ownerNote: null },
    ...{ source: null, button: null },
  };
  return { booking, token: 'preview', res, query: new URLSearchParams() };
}
