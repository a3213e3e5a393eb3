/** The site's document as it is stored: JSON of the schema's types, with any texts, and with fields of other releases. */
import type { z } from 'zod';
import { defaultsFor, iconOf, type SiteConfig } from '../../site.defaults.ts';
import { type Group, isGroup } from '../contract/document-changes.ts';
import { defaultLanguage, withWords, wordsIn } from '../contract/words/words.ts';
import { type Exists, inVoice, traitsOf } from './kinds.ts';
import { filled, fits, known, partAt } from './parts.ts';
import { isFitFor, type UploadedPhoto } from './photos.ts';
import { type SiteDocument, siteSchema } from './schema.ts';

const anyFile: Exists = () => true;

/** Looks up the files of the document that is checked, during its parse, which is synchronous and takes no parameters. */
let exists = anyFile;

/** Made once, since zod compiles each of its groups when it is first used. */
export const documentSchema = siteSchema((...file) => exists(...file));

/** What keeps a field from being published. */
export interface Mistake {
  /** Such as `faq.items.1.question`. */
  path: string;
  /** A sentence for the form. */
  message: string;
}

/** The mistakes in a document. */
export function mistakesIn(document: unknown, has: Exists): Mistake[] {
  exists = has;
  try {
    const { error } = documentSchema.safeParse(known(documentSchema, document), {
      error: inVoice('form'),
    });
    return (error?.issues ?? []).map(({ path, message }) => ({ path: path.join('.'), message }));
  } finally {
    exists = anyFile;
  }
}

/** The paths of the fields of a kind in a document, such as `faq.items.1.question`. */
export function fieldsIn(
  document: unknown,
  kind: 'text' | 'photo',
  schema: z.core.$ZodType = documentSchema,
  path: readonly string[] = [],
): string[] {
  if (traitsOf(schema)?.kind === kind) return [path.join('.')];
  if (typeof document !== 'object' || document === null) return [];
  return Object.entries(document).flatMap(([key, value]) => {
    const part = partAt(schema, key);
    return part ? fieldsIn(value, kind, part, [...path, key]) : [];
  });
}

/**
 * The files of the site: `has` looks up those that are served as they are, the build has made the pictures of `file`,
 * and `photos` are uploaded.
 */
export const filesOf =
  (
    { seo, about, testimonials }: SiteConfig,
    has: (path: string) => boolean,
    photos: readonly UploadedPhoto[],
  ): Exists =>
  (path, use) => {
    if (use === 'script') return has(path);
    const uploaded = photos.find(({ address }) => address === path);
    if (uploaded) return isFitFor(uploaded, use);
    if (use === 'icon') return path === iconOf({ seo });
    return use === 'portrait'
      ? path === about.photo
      : testimonials.quotes.some(({ photo }) => path === photo);
  };

/**
 * The document with all fields of this release. Those that it lacks come from the words of its language and the
 * defaults of `site.defaults.ts`, and where there are none, from `file`, the config of this release.
 */
export function complete(document: unknown, file: SiteConfig): Group {
  const { brand, language }: Group = isGroup(document) ? document : {};
  const { name } = isGroup(brand) ? brand : file.brand;
  const defaults: Group = {
    ...{ ...file, ...defaultsFor(String(name)) },
    language: defaultLanguage,
  };
  for (const [group, texts] of Object.entries(wordsIn(language))) {
    defaults[group] = { ...Object(defaults[group]), ...texts };
  }
  return filled(documentSchema, document, defaults) as Group;
}

/** The document without words that are those of its language: it is stored so, since a later release may have better ones. */
export function withoutWords(document: Group): Group {
  const words = new Map<string, Group>(Object.entries(wordsIn(document.language)));
  return Object.fromEntries(
    Object.entries(document).flatMap(([name, group]) => {
      const texts = words.get(name);
      if (!texts || !isGroup(group)) return [[name, group]];
      const changed = Object.entries(group).filter(([key, text]) => text !== texts[key]);
      return changed.length > 0 ? [[name, Object.fromEntries(changed)]] : [];
    }),
  );
}

/** The document in another language: words that are those of its own become those of the other one. */
export const inLanguage = (document: Group, language: unknown = defaultLanguage): Group => ({
  ...withWords({ ...withoutWords(document), language }),
  language,
});

/** The document as a `site.config.ts` of this release may say it: without fields of other releases. */
export const exported = (document: Group): Group =>
  known(documentSchema, withoutWords(document)) as Group;

/** The config of a complete document; undefined when it does not have the types of one. */
export const configOf = (document: unknown): SiteConfig | undefined =>
  // The type of the file names the dates and attributes that it has; those of a document are others.
  fits(documentSchema, document) ? (document as SiteDocument as unknown as SiteConfig) : undefined;
