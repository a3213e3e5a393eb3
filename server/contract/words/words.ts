/** The words of the site that are no owner's copy, by language. Another language is a file like `en.ts`, listed here. */
import { en } from './en.ts';

/** Texts by group and name. */
export type Words = {
  [Group in keyof typeof en]: { [Name in keyof (typeof en)[Group]]: string };
};

/** The words that a config changes. */
export type ChangedWords = {
  [Group in keyof Words]?: { [Name in keyof Words[Group]]?: string | undefined } | undefined;
};

/** The languages by their BCP 47 tags, which `Intl` and the pages' `lang` take. */
export const languages: Readonly<Record<string, Words>> = { en };

export const defaultLanguage = 'en';

/** The language of a config; English for one that this release does not have. */
const languageOf = (language: unknown): string =>
  Object.hasOwn(languages, String(language)) ? String(language) : defaultLanguage;

/** The words of a language; those of English for one that this release does not have. */
export const wordsIn = (language: unknown): Words => languages[languageOf(language)] ?? en;

/** The words of a site, and the tag of their language. */
export type SiteWords = Words & { language: string };

/** The config with all words of its language. Those that it says itself stay. */
export function withWords<Config extends object>(config: Config): Config & SiteWords {
  const { language, ...groups } = config as Record<string, object | string | undefined>;
  const words = Object.entries(wordsIn(language)).map(([group, texts]) => [
    group,
    { ...texts, ...Object(groups[group]) },
  ]);
  return { ...config, ...Object.fromEntries(words), language: languageOf(language) };
}

/** The text with values in the place of their names, such as `{name}`. */
export const fillWords = (text: string, values: Readonly<Record<string, string>>): string =>
  text.replace(/\{(\w+)\}/g, (place, name: string) => values[name] ?? place);
