/**
 * Whether `url` still has to be filled in by the owner: empty, no address at all, or one of the
 * ".example" domains that lead nowhere by definition.
 */
export function isPlaceholder(url: string): boolean {
  const address = url.trim().replace(/^(?=[\w-]+(\.[\w-]+)+)/, 'https://');
  if (!URL.canParse(address)) return true;
  const { hostname } = new URL(address);
  return hostname === '' || /(^|\.)example\.?$/.test(hostname);
}

/** Attributes of a link that opens in a new tab. */
export const newTab = { target: '_blank', rel: 'noopener' } as const;
