/**
 * Whether the owner still has to fill in `url`: it is empty, not a URL, or in the reserved `.example`
 * domain. Pages omit such links and the content security policy omits their hosts.
 */
export function isPlaceholder(url: string): boolean {
  const address = url.trim().replace(/^(?=[\p{L}\p{M}\p{N}_-]+\.[\p{L}\p{N}_-])/u, 'https://');
  if (!URL.canParse(address)) return true;
  const { hostname } = new URL(address);
  return hostname === '' || /(^|\.)example\.?$/.test(hostname);
}
