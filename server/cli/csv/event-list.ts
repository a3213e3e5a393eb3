/** A list for millions of events: about 16 bytes for each, where an object would take about 100. */
import type { ImportedEvent } from '../../analytics/model.ts';

export interface EventList {
  readonly length: number;
  add(event: ImportedEvent): void;
  slice(from: number, to: number): ImportedEvent[];
}

/** Returns an empty list, which grows by doubling. */
export function createEventList(): EventList {
  let length = 0;
  let times = new Float64Array(1024);
  let shapeIndexes = new Uint32Array(1024);
  // Events without their times: few of these differ, so each is stored once.
  const shapes: Omit<ImportedEvent, 'at'>[] = [];
  const indexByKey = new Map<string, number>();

  const indexOf = ({ activity, button, source }: ImportedEvent): number => {
    const key = JSON.stringify([activity, button, source]);
    const known = indexByKey.get(key);
    if (known !== undefined) return known;
    indexByKey.set(key, shapes.length);
    return shapes.push({ activity, button, source }) - 1;
  };
  const grow = () => {
    const [longerTimes, longerIndexes] = [
      new Float64Array(2 * length),
      new Uint32Array(2 * length),
    ];
    longerTimes.set(times);
    longerIndexes.set(shapeIndexes);
    [times, shapeIndexes] = [longerTimes, longerIndexes];
  };

  return {
    get length() {
      return length;
    },
    add(event) {
      if (length === times.length) grow();
      times[length] = event.at;
      shapeIndexes[length] = indexOf(event);
      length += 1;
    },
    slice(from, to) {
      const events: ImportedEvent[] = [];
      for (let i = from; i < Math.min(to, length); i++) {
        const [at, shape] = [times[i], shapes[shapeIndexes[i] ?? 0]];
        if (at !== undefined && shape) events.push({ ...shape, at });
      }
      return events;
    },
  };
}
