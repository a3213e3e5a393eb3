/**
 * Returns the text in NFKC, which shows what styled, circled and full-width characters stand for. Of more than thirty
 * marks on one letter the rest is dropped: to sort them takes the square of their number, seconds for one request.
 */
export const normalized = (text: string): string =>
  text.replace(/(\p{M}{30})\p{M}+/gu, '$1').normalize('NFKC');
