/** Whether the address in the browser leads to the computer that it runs on. */
export const isThisComputer = (): boolean =>
  /^((.+\.)?localhost|127\.\d+\.\d+\.\d+|\[::1\])$/.test(location.hostname);
