/** The /48 network of an IPv6 address block: whoever holds one holds 65,536 of those blocks. */
export const networkOf = (addressBlock: string) =>
  addressBlock.endsWith('::/64')
    ? `${addressBlock.split(':').slice(0, 3).join(':')}::/48`
    : addressBlock;
