/**
 * Whether it has gone quiet: no visit for longer than is usual on this site at these hours. A page that
 * is gone, a domain that has run out and a script that was lost look like this, and nobody calls.
 */
import type { AnalyticsStore, TimeWindow } from '../analytics/store.ts';
import { html, type OutboxEmail, page } from '../email/email.ts';

const hour = 60 * 60_000;
const day = 24 * hour;

/** The same hours of so many weeks before are what is usual. */
const weeks = 4;
/**
 * So many visits must be usual in those hours before none at all is strange: in all of these weeks but
 * one (that had an outage of its own), and on average, as far as the last two days were usual ones.
 * Visits come in bunches, so that these are far above what pure chance (about seven) would ask for.
 */
const least = { inEach: 5, onAverage: 12 };

/** An alarm, when it has gone quiet since the last visit; undefined while all is as usual. */
export async function silenceEmail(
  analytics: Pick<AnalyticsStore, 'totalsOfEach' | 'lastView'>,
  { now, address }: { now: number; address: string | undefined },
): Promise<OutboxEmail | undefined> {
  const last = await analytics.lastView(now);
  // Beyond a week it is no alarm any more.
  if (last === undefined || now - last < hour || now - last > 7 * day) return undefined;
  const before = { from: last - 2 * day, to: last };
  const quiet = { from: last, to: now };
  const back = Array.from({ length: weeks }, (_, n) => n + 1);
  const [recent, ...usual] = (
    await analytics.totalsOfEach([
      before,
      ...back.map((n) => weeksBefore(quiet, n)),
      ...back.map((n) => weeksBefore(before, n)),
    ])
  ).map(({ pageViews }) => pageViews);
  const [hours, days] = [usual.slice(0, weeks), usual.slice(weeks)];
  // Over the holidays a tenth of the visits may be usual.
  const calm = Math.min(1, (recent ?? 0) / Math.max(1, average(days)));
  const expected = average(hours) * calm;
  const [, second = 0] = [...hours].sort((a, b) => a - b);
  if (second * calm < least.inEach || expected < least.onAverage) return undefined;

  const since = new Date(last).toLocaleString('en-US', { dateStyle: 'long', timeStyle: 'short' });
  const sentences = [
    `Nobody has visited your site since ${since}.`,
    `In these hours of the last four weeks there were ${Math.round(average(hours))} visits on average. On a holiday that may be all there is to it.`,
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

/** The same hours by the clock, which a week across the setting of the clocks has not. */
function weeksBefore({ from, to }: TimeWindow, weeks: number): TimeWindow {
  const shifted = (at: number) => {
    const date = new Date(at);
    date.setDate(date.getDate() - 7 * weeks);
    return date.getTime();
  };
  return { from: shifted(from), to: shifted(to) };
}

const average = (counts: number[]) => counts.reduce((sum, n) => sum + n, 0) / weeks;
