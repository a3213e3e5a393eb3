/** Numbers in words, in US English. */

/** `1,234,567` */
export const formatNumber = (n: number): string => n.toLocaleString('en-US');

/** A count with its noun: `1 sale`, `1,234 sales`. */
export const pluralize = (n: number, one: string, many = `${one}s`): string =>
  `${formatNumber(n)} ${n === 1 ? one : many}`;

/** Bytes: 4404019 is `4.2 MB`. */
export const inMegabytes = (bytes: number): string =>
  `${(bytes / 1024 / 1024).toLocaleString('en-US', { minimumFractionDigits: 1, maximumFractionDigits: 1 })} MB`;
