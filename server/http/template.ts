/** Places in a document that are filled when it is sent. */

/** Values for the slots of a document, by name. */
export type TemplateVariables = Record<string, string | undefined>;

/**
 * Puts values, escaped, where the document says `{{name}}`; a slot without a value stays empty. What
 * stands between `{{#name}}` and `{{/name}}` is left out when that slot has no value; what stands
 * between `{{^name}}` and `{{/name}}`, when it has one.
 */
export function fillTemplate(html: string, slots: TemplateVariables): string {
  const valueFor = (name: string) => (Object.hasOwn(slots, name) ? slots[name] : undefined);
  return html
    .replace(
      /\{\{([#^])(\w+)\}\}(.*?)\{\{\/\2\}\}/gs,
      (_, sign: string, name: string, part: string) =>
        Boolean(valueFor(name)) === (sign === '#') ? part : '',
    )
    .replace(/\{\{(\w+)\}\}/g, (_, name: string) => escapeHtml(valueFor(name) ?? ''));
}

const escapes: Record<string, string> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
  "'": '&#39;',
};
const escapeHtml = (text: string) => text.replace(/[&<>"']/g, (c) => escapes[c] ?? c);
