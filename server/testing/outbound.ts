/** For tests: names that lead to servers of this machine, as if these were public. */
import type dns from 'node:dns';
import type { OutboundOptions } from '../outbound/request.ts';

/** A `dns.lookup` that resolves names by `find`; without an address a name does not exist. */
export function lookupBy(find: (name: string) => readonly string[]): typeof dns.lookup {
  type Done = (error: Error | null, found: dns.LookupAddress[]) => void;
  const lookup = (name: string, _options: unknown, done: Done) => {
    const found = find(name).map((address) => ({ address, family: address.includes(':') ? 6 : 4 }));
    const missing = Object.assign(new Error(`no ${name}`), { code: 'ENOTFOUND' });
    done(found.length > 0 ? null : missing, found);
  };
  return lookup as typeof dns.lookup;
}

/** Where 127.0.0.1 counts as public, `inside.test` leads into a local network, and other `.test` names to 127.0.0.1. */
export const testNetwork = {
  isAllowed: (address) => address === '127.0.0.1',
  lookup: lookupBy((name) => {
    if (name === 'inside.test') return ['127.0.0.2'];
    return name.endsWith('.test') ? ['127.0.0.1'] : [];
  }),
} satisfies OutboundOptions;

/** The origin of a server of this machine, under a name. */
export const named = (origin: string, name = 'site.test'): string =>
  origin.replace('127.0.0.1', name);
