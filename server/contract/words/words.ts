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
const languages: Readonly<Record<string, Words>> = { en };

/** The words of a language; those of English for one that this release does not have. */
export const wordsIn = (language: unknown): Words =>
  (Object.hasOwn(languages, String(language)) && languages[String(language)]) || en;

/** The config with all words of its language. Those that it says itself stay. */
export function withWords<Config extends object>(config: Config): Config & Words {
  const { language, ...groups } = config as Record<string, object | string | undefined>;
  const words = Object.entries(wordsIn(language)).map(([group, texts]) => [
    group,
    { ...texts, ...Object(groups[group]) },
  ]);
  return { ...config, ...Object.fromEntries(words) };
}
