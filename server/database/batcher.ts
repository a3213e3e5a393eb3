import { DatabaseUnavailable, type Statements, type Transaction } from './database.ts';

interface Batch<T, R> {
  items: T[];
  results: Promise<readonly (R | Promise<R>)[]>;
}

/**
 * Makes one job of many: items that wait for the same commit are worked on together, since the price of
 * a statement is by the call. When they fail together, each is tried by itself.
 *
 * @param enqueue `Database.write` or `Database.append`
 * @param work answers with as many results as there are items, in their order
 */
export function batched<T, R>(
  enqueue: <X>(job: Transaction<X>) => Promise<X>,
  work: (items: readonly T[]) => Statements<readonly R[]>,
): (item: T) => Promise<R> {
  let open: Batch<T, R> | undefined;

  const workOn = (items: readonly T[], begun?: () => void): Promise<readonly R[]> =>
    enqueue(() => {
      begun?.();
      return work(items);
    });
  const alone = async (item: T): Promise<R> => {
    const [result] = await workOn([item]);
    return result as R;
  };
  const begin = (): Batch<T, R> => {
    const items: T[] = [];
    // Once its turn has come, who comes then is of the next.
    const close = () => {
      if (open?.items === items) open = undefined;
    };
    const results = workOn(items, close).catch((error: unknown) => {
      close();
      // What became of it is not known, or the same would become of each.
      if (error instanceof DatabaseUnavailable || items.length < 2) throw error;
      return items.map(alone);
    });
    return { items, results };
  };

  return async (item) => {
    open ??= begin();
    const { items, results } = open;
    const place = items.push(item) - 1;
    return (await results)[place] as R;
  };
}
