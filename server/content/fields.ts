/** The fields of the site's document, as the editor's form shows them. */
import { z } from 'zod';
import { documentSchema } from './document.ts';
import { labels } from './field-labels.ts';
import { traits, traitsOf } from './kinds.ts';
import { entryOf, fieldsOf } from './parts.ts';

/** What the form shows of a field, a group or a list. */
export const siteField = traits.extend({
  path: z.string().describe('With `*` for any entry of a list, such as `faq.items.*.question`.'),
  label: z.string(),
  help: z.string().optional(),
});

type SiteField = z.infer<typeof siteField>;

/** The fields in the order of the schema, a group or list before its parts. `comments` are those of `field-comments.ts`. */
export function siteFields(comments: Record<string, string>): SiteField[] {
  const fieldsAt = (part: z.core.$ZodType, path: string): SiteField[] => {
    const own = traitsOf(part);
    if (!own) return [];
    const help = comments[path]?.replace(/\s+/g, ' ');
    const entry = own.kind === 'list' ? entryOf(part) : undefined;
    return [
      { path, ...own, label: labelOf(path), ...(help !== undefined && { help }) },
      ...partsOf(part, `${path}.`),
      ...(entry ? fieldsAt(entry, `${path}.*`) : []),
    ];
  };
  const partsOf = (group: z.core.$ZodType, prefix: string) =>
    Object.entries(fieldsOf(group) ?? {}).flatMap(([key, part]) => fieldsAt(part, prefix + key));
  return partsOf(documentSchema, '');
}

function labelOf(path: string): string {
  const keys = path.split('.');
  const ends = keys.map((_, i) => keys.slice(i).join('.'));
  const listed = ends.find((end) => Object.hasOwn(labels, end));
  if (listed !== undefined) return labels[listed] ?? '';
  const key = keys.pop() ?? '';
  if (key === '*') return labelOf(keys.join('.')).replace(/s$/, '');
  const words = key.replace(/[A-Z]/g, (letter) => ` ${letter.toLowerCase()}`);
  return words.charAt(0).toUpperCase() + words.slice(1);
}
