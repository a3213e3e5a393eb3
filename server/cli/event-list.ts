/** Very many marks in little memory: some sixteen bytes each, where an object would take a hundred. */
import type { ImportedEvent } from '../analytics/store.ts';

export interface EventList {
  readonly length: number;
  add(mark: ImportedEvent): void;
  slice(from: number, to: number): ImportedEvent[];
}

/** Starts empty and grows by doubling. */
export function createEventList(): EventList {
  let length = 0;
  let times = new Float64Array(1024);
  let kinds = new Uint32Array(1024);
  // What is left of a mark without its time: few of these are different.
  const known = new Map<string, number>();
  const shapes: Omit<ImportedEvent, 'at'>[] = [];

  const shapeOf = ({ activity, control, source }: ImportedEvent): number => {
    const key = JSON.stringify([activity, control, source]);
    const found = known.get(key);
    if (found !== undefined) return found;
    known.set(key, shapes.length);
    return shapes.push({ activity, control, source }) - 1;
  };
  const grow = () => {
    const [longerTimes, longerKinds] = [new Float64Array(2 * length), new Uint32Array(2 * length)];
    longerTimes.set(times);
    longerKinds.set(kinds);
    [times, kinds] = [longerTimes, longerKinds];
  };

  return {
    get length() {
      return length;
    },
    add(mark) {
      if (length === times.length) grow();
      times[length] = mark.at;
      kinds[length] = shapeOf(mark);
      length += 1;
    },
    slice(from, to) {
      const marks: ImportedEvent[] = [];
      for (let i = from; i < Math.min(to, length); i++) {
        const [at, shape] = [times[i], shapes[kinds[i] ?? 0]];
        if (at !== undefined && shape) marks.push({ ...shape, at });
      }
      return marks;
    },
  };
}
