/** Whether a URL leads to the computer that requests it. */
export const isLoopback = (address: string): boolean =>
  URL.canParse(address) &&
  /^(localhost|127\.\d+\.\d+\.\d+|\[::1\])$/.test(new URL(address).hostname);
