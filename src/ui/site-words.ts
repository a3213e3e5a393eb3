/** The words of the site's language, with those that the owner has changed, and its tag. */
import { type SiteWords, withWords } from '../../server/contract/words/words.ts';
import { site } from '../../site.config.ts';

export const words: SiteWords = withWords(site);
