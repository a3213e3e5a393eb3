/**
 * Returns the text in NFKC, which shows what styled, circled and full-width characters stand for. Of more than thirty
 * marks on one letter the rest is dropped: to sort them takes the square of their number, seconds for one request.
 * NFKC also makes marks of U+FF9E and U+FF9F, which are letters.
 */
export const normalized = (text: string): string =>
  text.replace(/([\p{M}\uFF9E\uFF9F]{30})[\p{M}\uFF9E\uFF9F]+/gu, '$1').normalize('NFKC');
