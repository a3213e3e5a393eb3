/** Network addresses that are reachable by everyone, as opposed to those of a machine or a local network. */
import { BlockList, isIPv4, isIPv6 } from 'node:net';

/** IPv4 addresses that are not public (https://www.iana.org/assignments/iana-ipv4-special-registry). */
const notPublicV4 = blockList('ipv4', [
  '0.0.0.0/8',
  '10.0.0.0/8',
  '100.64.0.0/10',
  '127.0.0.0/8',
  '169.254.0.0/16',
  '172.16.0.0/12',
  '192.0.0.0/24',
  '192.0.2.0/24',
  '192.88.99.0/24',
  '192.168.0.0/16',
  '198.18.0.0/15',
  '198.51.100.0/24',
  '203.0.113.0/24',
  '224.0.0.0/4',
  '240.0.0.0/4',
]);

/** All global unicast addresses of IPv6. Addresses that contain one of IPv4 are mostly outside it. */
const globalV6 = blockList('ipv6', ['2000::/3']);

/** Protocol assignments with Teredo, documentation, and 6to4, which contains an IPv4 address. */
const notPublicV6 = blockList('ipv6', ['2001::/23', '2001:db8::/32', '2002::/16', '3fff::/20']);

const loopbackV4 = blockList('ipv4', ['127.0.0.0/8']);

function blockList(family: 'ipv4' | 'ipv6', networks: readonly string[]): BlockList {
  const list = new BlockList();
  for (const network of networks) {
    const [address = '', prefix] = network.split('/');
    list.addSubnet(address, Number(prefix), family);
  }
  return list;
}

/** Whether this IP address is public: none of a local network, of a single machine, or of many. */
export function isPublicAddress(address: string): boolean {
  if (isIPv4(address)) return !notPublicV4.check(address, 'ipv4');
  if (!isIPv6(address)) return false;
  return globalV6.check(address, 'ipv6') && !notPublicV6.check(address, 'ipv6');
}

/** Whether this IP address is one of this machine. */
export const isLoopbackAddress = (address: string): boolean =>
  isIPv4(address) ? loopbackV4.check(address, 'ipv4') : address === '::1';
