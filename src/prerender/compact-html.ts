/**
 * Removes end tags and slashes that a parser does not need (HTML standard, "Optional tags" and "Void
 * elements"). The parsed document is the same.
 *
 * @param html as React renders it: lower case, without whitespace between tags
 */
export function compactHtml(html: string): string {
  return optionalEndTags
    .reduce((shorter, end) => shorter.replace(end, ''), html)
    .replace(/(<(?:br|hr|img|input|link|meta)\b[^>]*)\/>/g, '$1>')
    .replace(/><\/(?:path|circle|rect)>/g, '/>');
}

/** End tags that are implied by what follows them. */
const optionalEndTags = [
  /<\/li>(?=<li\b|<\/[ou]l>)/g,
  /<\/dt>(?=<d[dt]\b)/g,
  /<\/dd>(?=<d[dt]\b|<\/(?:dl|div)>)/g,
  /<\/t[dh]>(?=<t[dh]\b|<\/tr>)/g,
  /<\/tr>(?=<tr\b|<\/tbody>)/g,
  /<\/p>(?=<(?:div|dl|figure|form|h[1-6]|ol|p|section|table|ul)\b|<\/(?:blockquote|dd|details|dialog|div|figure|footer|li|main|section)>)/g,
];
