interface Waiting<T> {
  item: T;
  resolve: () => void;
  reject: (error: unknown) => void;
}

/**
 * Makes one call of many: items given in the same turn of the event loop are handed to `deliver`
 * together, in order. Each promise settles as that call does.
 */
export function gather<T>(deliver: (items: T[]) => Promise<void>): (item: T) => Promise<void> {
  let waiting: Waiting<T>[] = [];

  const flush = () => {
    const group = waiting;
    waiting = [];
    deliver(group.map(({ item }) => item)).then(
      () => {
        for (const { resolve } of group) resolve();
      },
      (error: unknown) => {
        for (const { reject } of group) reject(error);
      },
    );
  };

  return (item) =>
    new Promise<void>((resolve, reject) => {
      if (waiting.length === 0) setImmediate(flush);
      waiting.push({ item, resolve, reject });
    });
}
