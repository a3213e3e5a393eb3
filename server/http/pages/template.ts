import { escapeHtml } from '../../text/html.ts';

/** Values of the variables of a template, by name. A list repeats its section; a boolean only has one. */
export interface TemplateVariables {
  [name: string]: string | boolean | undefined | readonly TemplateVariables[];
}

/**
 * Fills a template (a subset of Mustache): `{{name}}` becomes the escaped value, or '' without one. A
 * section `{{#name}}…{{/name}}` stays when the value is not empty, once for each entry of a list, whose
 * variables it may use; `{{^name}}…{{/name}}` stays when the value is empty. A section contains no other
 * section of the same name.
 */
export function fillTemplate(html: string, variables: TemplateVariables): string {
  const valueFor = (name: string) => (Object.hasOwn(variables, name) ? variables[name] : undefined);
  // One pass: what a value contains is not filled again.
  return html.replace(
    /\{\{([#^])(\w+)\}\}(.*?)\{\{\/\2\}\}|\{\{(\w+)\}\}/gs,
    (_, sign: string | undefined, section: string, content: string, name: string) => {
      if (sign === undefined) {
        const value = valueFor(name);
        return typeof value === 'string' ? escapeHtml(value) : '';
      }
      const value = valueFor(section);
      const entries = typeof value === 'object' ? value : value ? [{}] : [];
      if ((sign === '^') === entries.length > 0) return '';
      if (sign === '^') return fillTemplate(content, variables);
      return entries.map((entry) => fillTemplate(content, { ...variables, ...entry })).join('');
    },
  );
}
