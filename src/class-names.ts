/**
 * Gives the classes of a page short names, the most used the shortest: emotion's hashes do not
 * compress. `kept` is markup whose classes stay as they are, since the browser will compute them
 * again when it hydrates an island.
 */
export function shortenClasses(page: { css: string; markup: string }, kept: string) {
  const hashes = /\bcss-[\w-]+/g;
  const stay = new Set(kept.match(hashes));
  const uses = new Map<string, number>();
  for (const [name] of page.markup.matchAll(hashes)) {
    if (!stay.has(name)) uses.set(name, (uses.get(name) ?? 0) + 1);
  }
  const byUse = [...uses].sort(([a, m], [b, n]) => n - m || (a < b ? -1 : 1));
  const short = new Map(byUse.map(([name], i) => [name, `_${i.toString(36)}`]));
  const rename = (text: string) => text.replace(hashes, (name) => short.get(name) ?? name);
  return { css: rename(page.css), markup: rename(page.markup) };
}
