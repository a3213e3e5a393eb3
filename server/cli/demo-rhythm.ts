/** When people visit a site like this one: by day more than by night, on weekdays more than on weekends. */
import type { Random } from './seeded.ts';

const hour = 60 * 60_000;
const day = 24 * hour;

/** Sunday first. */
const weekdays = [0.62, 1.12, 1.2, 1.15, 1.08, 0.9, 0.55];
/** The audience lives around New York: its mornings and evenings, in UTC. */
const [morning, evening] = [15, 1];

/** `n` moments in order, all of them in the `days` before `now` (milliseconds since 1970, UTC). */
export function* moments(
  random: Random,
  { n, days, now }: { n: number; days: number; now: number },
): Generator<number> {
  const start = now - days * day;
  const weights = hourWeights(random, { start, days });
  const total = weights.reduce((sum, weight) => sum + weight, 0);
  let slot = 0;
  let before = 0;
  for (let i = 0; i < n; i += 1) {
    // One moment in each n-th part of all the interest there is: in order without sorting.
    const reached = ((i + random()) / n) * total;
    while (slot < weights.length - 1 && before + (weights[slot] ?? 0) < reached) {
      before += weights[slot] ?? 0;
      slot += 1;
    }
    const part = (reached - before) / (weights[slot] ?? 1);
    yield Math.min(now - 1, Math.floor(start + (slot + part) * hour));
  }
}

/** How much interest each hour holds: growing, with good days and bad, and a mention now and then. */
function hourWeights(random: Random, { start, days }: { start: number; days: number }): number[] {
  const weights: number[] = [];
  let echo = 0;
  for (let d = 0; d < days; d += 1) {
    const growth = 0.6 + (0.8 * d) / days;
    // A newsletter or a podcast speaks of the site, and that rings on for days.
    echo = random() < 1 / 20 ? 1.2 : echo * 0.45;
    const today = growth * (0.85 + 0.3 * random() + echo);
    for (let h = 0; h < 24; h += 1) {
      const time = new Date(start + d * day + h * hour);
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
