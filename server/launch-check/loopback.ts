/** Whether an address on the web leads to the very computer it is asked from. */
export const isLoopback = (address: string): boolean =>
  URL.canParse(address) &&
  /^(localhost|127\.\d+\.\d+\.\d+|\[::1\])$/.test(new URL(address).hostname);
