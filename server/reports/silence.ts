/**
 * Whether it has gone quiet: no visit for so long as never happens by chance on this site. A page that
 * is gone, a domain that has run out and a script that was lost look like this, and nobody calls.
 */
import type { AnalyticsStore } from '../analytics/store.ts';
import { html, type NamedLetter, page } from '../mail/letter.ts';

const hour = 60 * 60_000;
const week = 7 * 24 * hour;

/** The same hours of so many weeks before are what is usual. */
const weeks = 4;
/**
 * So many visits must have come in those hours, in the poorest of these weeks and on average, before
 * none at all is strange. Visits come in bunches, so that these are far above what pure chance (about
 * seven) would ask for.
 */
const least = { inEach: 5, onAverage: 12 };

/** An alarm, when it has gone quiet since the last visit; undefined while all is as usual. */
export async function silenceLetter(
  analytics: Pick<AnalyticsStore, 'totalsOfEach' | 'lastView'>,
  { now, address }: { now: number; address: string | undefined },
): Promise<NamedLetter | undefined> {
  const last = await analytics.lastView();
  // Beyond a week the owner has been told, or has closed the site.
  if (last === undefined || now - last < hour || now - last > week) return undefined;
  const usual = await analytics.totalsOfEach(
    Array.from({ length: weeks }, (_, n) => ({
      from: last - (n + 1) * week,
      to: now - (n + 1) * week,
    })),
  );
  const views = usual.map(({ pageViews }) => pageViews);
  const average = views.reduce((sum, n) => sum + n, 0) / weeks;
  if (Math.min(...views) < least.inEach || average < least.onAverage) return undefined;

  const since = new Date(last).toLocaleString('en-US', { dateStyle: 'long', timeStyle: 'short' });
  const sentences = [
    `Nobody has visited your site since ${since}.`,
    `In these hours of the last four weeks there were ${Math.round(average)} visits on average.`,
    `Please open ${address ?? 'your site'} and see whether it comes up, on your phone too.`,
  ];
  return {
    // One silence, one letter.
    id: `silence-${last}`,
    subject: 'Your site has gone quiet',
    text: sentences.join('\n\n'),
    html: page(html`${sentences.map((sentence) => html`<p>${sentence}</p>`)}`),
  };
}
