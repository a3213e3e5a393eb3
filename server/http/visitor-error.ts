/**
 * Errors in the words of the site, as visitors read them. Procedures know none: as with gettext, their English sentences,
 * which programs get, are made from those of `en.errors`, and lead to the same words in the language of the site.
 */
import { fieldNames } from '../contract/contact-fields.ts';
import { en } from '../contract/words/en.ts';
import { fillWords, type SiteWords } from '../contract/words/words.ts';
import { ApiError, type ErrorResponse, errorResponseOf } from '../trpc/errors.ts';

const names = Object.keys(en.errors) as (keyof typeof en.errors)[];

/** A pattern for each sentence, with a group for each of its values. Those without values come first. */
const patterns = names
  .map((name) => {
    const escaped = en.errors[name].replace(/[.*+?^$()|[\]\\]/g, '\\$&');
    const source = escaped.replace(/\{(\w+)\}/g, '(?<$1>.+)');
    return { name, hasValues: source !== escaped, pattern: new RegExp(`^${source}$`, 's') };
  })
  .sort((a, b) => Number(a.hasValues) - Number(b.hasValues));

/** The sentence in the words of the site. One that visitors do not get stays as it is. */
function inWords(sentence: string, words: SiteWords): string {
  for (const { name, pattern } of patterns) {
    const found = pattern.exec(sentence);
    if (!found) continue;
    const { field, ...values } = found.groups ?? {};
    const noun = fieldNames.find((one) => en.contactFields[one] === field);
    return fillWords(words.errors[name], {
      ...values,
      ...(noun && { field: words.contactFields[noun] }),
    });
  }
  return sentence;
}

/** The response to an error, with its sentences in the words of the site. */
export function visitorResponseOf(error: unknown, words: SiteWords): ErrorResponse {
  const { issues, ...response } = errorResponseOf(error);
  return {
    ...response,
    message: inWords(response.message, words),
    ...(issues && {
      issues: issues.map(({ path, message }) => ({ path, message: inWords(message, words) })),
    }),
  };
}

/** The error with its response in the words of the site. An internal one, whose cause is logged, stays as it is. */
export function visitorErrorOf(error: unknown, words: SiteWords): unknown {
  const response = visitorResponseOf(error, words);
  if (response.status >= 500) return error;
  return Object.assign(new ApiError(response.code, { cause: error }), { response });
}
