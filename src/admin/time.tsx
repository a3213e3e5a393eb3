import { timeOfDay } from './format.ts';

/** A time of day, `2:05:09 PM`; `at` is in ms since 1970. */
export const Time = ({ at }: { at: number }) => (
  <time dateTime={new Date(at).toISOString()}>{timeOfDay(at)}</time>
);
