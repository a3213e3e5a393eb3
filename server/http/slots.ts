/** Places in a document that are filled when it is sent. */

/** Values for the slots of a document, by name. */
export type Slots = Record<string, string | undefined>;

/**
 * Puts values, escaped, where the document says `{{name}}`; a slot without a value stays empty. What
 * stands between `{{#name}}` and `{{/name}}` is left out when that slot has no value.
 */
export function fillSlots(html: string, slots: Slots): string {
  return html
    .replace(/\{\{#(\w+)\}\}(.*?)\{\{\/\1\}\}/gs, (_, name: string, part: string) =>
      slots[name] ? part : '',
    )
    .replace(/\{\{(\w+)\}\}/g, (_, name: string) => escapeHtml(slots[name] ?? ''));
}

const escapes: Record<string, string> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
  "'": '&#39;',
};
const escapeHtml = (text: string) => text.replace(/[&<>"']/g, (c) => escapes[c] ?? c);
