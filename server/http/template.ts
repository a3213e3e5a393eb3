/** Values of the variables of a template, by name. */
export type TemplateVariables = Record<string, string | undefined>;

/**
 * Replaces `{{name}}` with the escaped value, or '' without one (a subset of Mustache). A section
 * `{{#name}}…{{/name}}` stays only when the value is not empty; `{{^name}}…{{/name}}` only when it is.
 */
export function fillTemplate(html: string, variables: TemplateVariables): string {
  const valueFor = (name: string) => (Object.hasOwn(variables, name) ? variables[name] : undefined);
  return html
    .replace(
      /\{\{([#^])(\w+)\}\}(.*?)\{\{\/\2\}\}/gs,
      (_, sign: string, name: string, section: string) =>
        Boolean(valueFor(name)) === (sign === '#') ? section : '',
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
