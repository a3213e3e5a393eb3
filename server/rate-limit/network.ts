/** The /48 network of an IPv6 address block (`http/request-info.ts`): one customer may hold all 65,536 blocks of it. */
export const networkOf = (addressBlock: string) =>
  addressBlock.endsWith('::/64')
    ? `${addressBlock.split(':').slice(0, 3).join(':')}::/48`
    : addressBlock;
