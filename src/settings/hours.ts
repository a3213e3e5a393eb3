/** The hours for calls, as the site's document has them: `{ tuesday: ['10:00-12:30'] }`. */

/** The hours of a week in all: 17.5. A text that is no range counts as none. */
export const hoursOf = (hours: Readonly<Record<string, readonly string[]>> = {}): number =>
  Object.values(hours)
    .flat()
    .reduce((sum, range) => sum + lengthOf(range), 0);

/** The length of a range such as `10:00-12:30`, in hours. */
function lengthOf(range: string): number {
  const [from = Number.NaN, to = Number.NaN] = range.split('-').map(hourOf);
  return to > from ? to - from : 0;
}

function hourOf(time: string): number {
  const [hours, minutes] = time.split(':').map(Number);
  return (hours ?? Number.NaN) + (minutes ?? Number.NaN) / 60;
}
