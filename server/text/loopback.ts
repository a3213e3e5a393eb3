/** Whether a URL leads to the computer that requests it. */
export function isLoopback(url: string): boolean {
  if (!URL.canParse(url)) return false;
  return /^((.+\.)?localhost|127\.\d+\.\d+\.\d+|\[::1\])$/.test(new URL(url).hostname);
}
