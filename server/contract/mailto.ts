/**
 * Returns the `mailto:` URL (RFC 6068) that opens a draft to exactly this address: nothing in it becomes another
 * recipient or a field. The `@` before the domain stays as it is, since Outlook does not decode it in a link.
 */
export function mailto(address: string, fields: { subject?: string; body?: string } = {}): string {
  const to = encodeURIComponent(address).replace(/%40(?!.*%40)/, '@');
  const query = Object.entries(fields).map(([name, text]) => `${name}=${encodeURIComponent(text)}`);
  return `mailto:${to}${query.length > 0 ? `?${query.join('&')}` : ''}`;
}
