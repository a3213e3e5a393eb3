const units = [
  ['day', 24 * 60 * 60_000],
  ['hour', 60 * 60_000],
  ['minute', 60_000],
] as const;

/** Relative time from `now` (ms since 1970), at least one minute: `3 hours ago`. */
export function ago(timestamp: string, now: number): string {
  const passed = Math.max(now - Date.parse(timestamp), 60_000);
  const [unit, length] = units.find(([, length]) => passed >= length) ?? units[2];
  return new Intl.RelativeTimeFormat('en-US').format(-Math.floor(passed / length), unit);
}
