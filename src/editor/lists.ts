/** Copies of lists with a change. The browsers that are supported lack `toSpliced` and `with`. */

export const replacedAt = <Entry>(list: readonly Entry[], index: number, entry: Entry): Entry[] =>
  list.map((one, i) => (i === index ? entry : one));

export const removedAt = <Entry>(list: readonly Entry[], index: number): Entry[] =>
  list.filter((_, i) => i !== index);

export const insertedAt = <Entry>(list: readonly Entry[], index: number, entry: Entry): Entry[] => [
  ...list.slice(0, index),
  entry,
  ...list.slice(index),
];
