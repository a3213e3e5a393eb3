/** The site's origin on this machine, for a person's browser. */
export function localOrigin(host: string | undefined, port: number): string {
  const isEvery = host === undefined || host === '0.0.0.0' || host === '::';
  const name = isEvery ? 'localhost' : host.includes(':') ? `[${host}]` : host;
  return `http://${name}:${port}`;
}
