/**
 * Whether `url` still has to be filled in by the owner: empty, no address at all, or one of the
 * ".example" domains that lead nowhere by definition. Pages leave out what it would show; the server
 * lets nothing in from there.
 */
export function isPlaceholder(url: string): boolean {
  const address = url.trim().replace(/^(?=[\w-]+(\.[\w-]+)+)/, 'https://');
  if (!URL.canParse(address)) return true;
  const { hostname } = new URL(address);
  return hostname === '' || /(^|\.)example\.?$/.test(hostname);
}
