/** The words of the site's language, with those that the owner has changed. */
import { type Words, withWords } from '../../server/contract/words/words.ts';
import { site } from '../../site.config.ts';

export const words: Words = withWords(site);
