/** Which proxies are believed about a request: `TRUST_PROXY`, compiled. */
import proxyAddr from 'proxy-addr';

/** Whether the proxy at `address`, so many hops away from this server, is believed. */
export type Trust = (address: string, hop: number) => boolean;

/** Reads the setting as Express reads its `trust proxy`. */
export function compileTrust(setting: boolean | number | string): Trust {
  if (typeof setting === 'boolean') return () => setting;
  if (typeof setting === 'number') return (_address, hop) => hop < setting;
  return proxyAddr.compile(setting.split(',').map((address) => address.trim()));
}
