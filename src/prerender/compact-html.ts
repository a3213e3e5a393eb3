/**
 * Leaves out of rendered HTML what its reader adds by itself (HTML standard, "Optional tags" and
 * "Void elements"): the document it builds of it is the same.
 *
 * @param html as React writes it: lower case, nothing between the tags but what is said
 */
export function compactHtml(html: string): string {
  return impliedEnds
    .reduce((shorter, end) => shorter.replace(end, ''), html)
    .replace(/(<(?:br|hr|img|input|link|meta)\b[^>]*)\/>/g, '$1>')
    .replace(/><\/(?:path|circle|rect)>/g, '/>');
}

/** End tags, where what follows ends the element anyway. */
const impliedEnds = [
  /<\/li>(?=<li\b|<\/[ou]l>)/g,
  /<\/dt>(?=<d[dt]\b)/g,
  /<\/dd>(?=<d[dt]\b|<\/(?:dl|div)>)/g,
  /<\/t[dh]>(?=<t[dh]\b|<\/tr>)/g,
  /<\/tr>(?=<tr\b|<\/tbody>)/g,
  /<\/p>(?=<(?:div|dl|figure|form|h[1-6]|ol|p|section|table|ul)\b|<\/(?:blockquote|dd|details|dialog|div|figure|footer|li|main|section)>)/g,
];
