import { withWords } from '../server/contract/words/words.ts';
import { site } from '../site.config.ts';

/** The owner's config with all words of its language. */
export const config = withWords(site);
