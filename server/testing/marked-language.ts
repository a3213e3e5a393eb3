/** For tests: a language beside English, in which each word is marked. Loading this module adds it. */
import { en } from '../contract/words/en.ts';
import { languages } from '../contract/words/words.ts';

/** Its tag, by which dates and numbers are in German. */
export const markedLanguage = 'de';

/** `⟦Menu⟧` */
export const marked = (text: string) => `⟦${text}⟧`;

Object.assign(languages, {
  [markedLanguage]: Object.fromEntries(
    Object.entries(en).map(([group, texts]) => [
      group,
      Object.fromEntries(Object.entries(texts).map(([name, text]) => [name, marked(text)])),
    ]),
  ),
});

/** What is no word of a visitor: addresses, and dates, times and time zones as this language writes them. */
const data =
  /https?:\/\/\S+|[\w.+-]+@[\w.-]+|(?:Montag|Dienstag|Mittwoch|Donnerstag|Freitag|Samstag|Sonntag|M[oi]|D[io]|Fr|S[ao]|Januar|Februar|März|April|Mai|Juni|Juli|August|September|Oktober|November|Dezember|Jan|Feb|Mär|Apr|Jun|Jul|Aug|Sept|Okt|Nov|Dez)(?![\p{L}])\.?|\p{Lu}\p{L}+(?: \p{Lu}\p{L}+)* \(GMT[^)]*\)/gu;

/** The words in a text that are neither marked nor data. */
export const unmarked = (text = ''): string[] => {
  const rest = text.replace(/⟦[^⟦⟧]*⟧/g, ' ');
  // A marked text may have others in it, as values.
  if (rest !== text) return unmarked(rest);
  return text.replace(data, ' ').match(/\p{L}[\p{L}’'-]*/gu) ?? [];
};
