/**
 * Detects a traffic outage: no visit for longer than usual at these hours. Typical causes are a page that
 * is down, an expired domain or a missing script.
 */
import type { TimeWindow } from '../analytics/model.ts';
import type { AnalyticsStore } from '../analytics/store.ts';
import type { OutboxEmail } from '../email/email.ts';
import { dayMs, hourMs } from '../time/units.ts';
import type { ReportContext } from './weekly.ts';

/** Weeks of the baseline: the same hours of the weeks before. */
const weeks = 4;
/**
 * Minimum baseline visits before silence raises an alert: in every week but one (which may have had an
 * outage) and on average, scaled by the last two days. Visits are bursty, so the thresholds are well above
 * the seven that chance alone would require.
 */
const minimumVisits = { inEach: 5, onAverage: 12 };

/** Returns an alert email when visits have stopped; undefined while traffic is normal. */
export async function silenceEmail(
  analytics: Pick<AnalyticsStore, 'totalsOfEach' | 'lastView'>,
  { now, timeZone, address }: ReportContext,
): Promise<OutboxEmail | undefined> {
  const last = await analytics.lastView(now);
  // After a week without visits, no alert is sent.
  if (last === undefined || now - last < hourMs || now - last > 7 * dayMs) return undefined;
  const before = { from: last - 2 * dayMs, to: last };
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
  // During holidays a tenth of the visits may be normal.
  const activityLevel = Math.min(1, (recent ?? 0) / Math.max(1, average(days)));
  const expected = average(hours) * activityLevel;
  const [, second = 0] = [...hours].sort((a, b) => a - b);
  if (second * activityLevel < minimumVisits.inEach || expected < minimumVisits.onAverage)
    return undefined;

  const since = new Date(last).toLocaleString('en-US', {
    timeZone,
    dateStyle: 'long',
    timeStyle: 'short',
  });
  return {
    // One email per outage.
    id: `silence-${last}`,
    subject: 'Your site has gone quiet',
    blocks: [
      { kind: 'title', text: `No page views since ${since}.` },
      {
        kind: 'text',
        text: `In these hours of the last four weeks there were ${Math.round(average(hours))} page views on average. On a holiday, few or none can be normal.`,
      },
      { kind: 'text', text: 'Please check that your site loads, on your phone too.' },
      ...(address === undefined
        ? []
        : [{ kind: 'button' as const, label: 'Open your site', url: address }]),
    ],
  };
}

/** The same local hours `weeks` earlier; a fixed offset would shift across daylight-saving changes. */
function weeksBefore({ from, to }: TimeWindow, weeks: number): TimeWindow {
  const shifted = (at: number) => {
    const date = new Date(at);
    date.setDate(date.getDate() - 7 * weeks);
    return date.getTime();
  };
  return { from: shifted(from), to: shifted(to) };
}

const average = (counts: number[]) => counts.reduce((sum, n) => sum + n, 0) / weeks;
