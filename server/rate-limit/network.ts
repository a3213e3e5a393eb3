/**
 * Returns the /48 network of an IPv6 /64 address block, and an IPv4 address unchanged. One customer
 * may hold all 65,536 blocks of a /48 network.
 */
export const networkOf = (addressBlock: string) =>
  addressBlock.endsWith('::/64')
    ? `${addressBlock.split(':').slice(0, 3).join(':')}::/48`
    : addressBlock;
