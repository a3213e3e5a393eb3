import { expect, it } from 'vitest';
import { networkOf } from './network.ts';

it.each([
  ['2001:db8:1:2::/64', '2001:db8:1::/48'],
  ['2001:db8:0:0::/64', '2001:db8:0::/48'],
  ['0:0:0:0::/64', '0:0:0::/48'],
  ['192.0.2.7', '192.0.2.7'],
  ['unknown', 'unknown'],
])('the network of %s is %s', (block, network) => expect(networkOf(block)).toBe(network));
