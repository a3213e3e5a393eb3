/** Visit times of a demo site: more by day than by night, more on weekdays than on weekends. */

import type { Random } from './seeded.ts';

const hourMs = 60 * 60_000;
const dayMs = 24 * hourMs;

/** Sunday first. */
const weekdays = [0.62, 1.12, 1.2, 1.15, 1.08, 0.9, 0.55];
/** Peaks in UTC hours: the mornings and evenings of an audience around New York. */
const [morning, evening] = [15, 1];

/** Yields `n` times in ascending order, in the `days` before `now`; milliseconds since 1970, UTC. */
export function* viewTimes(
  random: Random,
  { n, days, now }: { n: number; days: number; now: number },
): Generator<number> {
  const start = now - days * dayMs;
  const weights = hourWeights(random, { start, days });
  const total = weights.reduce((sum, weight) => sum + weight, 0);
  let slot = 0;
  let before = 0;
  for (let i = 0; i < n; i += 1) {
    // Stratified sampling: one time in each n-th of the total weight needs no sort.
    const reached = ((i + random()) / n) * total;
    while (slot < weights.length - 1 && before + (weights[slot] ?? 0) < reached) {
      before += weights[slot] ?? 0;
      slot += 1;
    }
    const part = (reached - before) / (weights[slot] ?? 1);
    yield Math.min(now - 1, Math.floor(start + (slot + part) * hourMs));
  }
}

/** Relative traffic of each hour: it grows, varies by day, and has a peak now and then. */
function hourWeights(random: Random, { start, days }: { start: number; days: number }): number[] {
  const weights: number[] = [];
  let peak = 0;
  for (let d = 0; d < days; d += 1) {
    const growth = 0.6 + (0.8 * d) / days;
    // A newsletter or podcast mentions the site every 20 days; its extra traffic decays over days.
    peak = random() < 1 / 20 ? 1.2 : peak * 0.45;
    const today = growth * (0.85 + 0.3 * random() + peak);
    for (let h = 0; h < 24; h += 1) {
      const time = new Date(start + d * dayMs + h * hourMs);
      const weekday = weekdays[time.getUTCDay()] ?? 1;
      weights.push(today * weekday * daytime(time.getUTCHours()) * (0.8 + 0.4 * random()));
    }
  }
  return weights;
}

const daytime = (h: number) => 0.15 + bump(h, morning, 4) + 0.6 * bump(h, evening, 2);

function bump(h: number, peak: number, width: number): number {
  const distance = Math.min(Math.abs(h - peak), 24 - Math.abs(h - peak));
  return Math.exp(-((distance / width) ** 2) / 2);
}
