/** Compiles `TRUST_PROXY` into a trust function. */
import proxyAddr from 'proxy-addr';

/** Whether the proxy at `address`, `hop` hops away from this server, is trusted. */
export type Trust = (address: string, hop: number) => boolean;

/** Interprets the setting like Express's `trust proxy`. */
export function compileTrust(setting: boolean | number | string): Trust {
  if (typeof setting === 'boolean') return () => setting;
  if (typeof setting === 'number') return (_address, hop) => hop < setting;
  return proxyAddr.compile(setting.split(',').map((address) => address.trim()));
}
