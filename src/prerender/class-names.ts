/**
 * Gives the classes of a page short names, the shortest to the most used: emotion's hashes do not
 * compress. Classes in `islandMarkup` keep their names, since the browser recomputes them on
 * hydration. Only names in `class` attributes are replaced, never the owner's text.
 */
export function shortenClasses(page: { css: string; markup: string }, islandMarkup: string) {
  const reserved = new Set(classesOf(islandMarkup));
  const uses = new Map<string, number>();
  for (const name of classesOf(page.markup)) {
    if (!reserved.has(name)) uses.set(name, (uses.get(name) ?? 0) + 1);
  }
  const byUse = [...uses].sort(([, m], [, n]) => n - m);
  const short = new Map(byUse.map(([name], i) => [name, shortName(i)]));
  const rename = (text: string) => text.replace(hash, (name) => short.get(name) ?? name);
  return {
    css: page.css.replace(/\.css-[\w-]+/g, rename),
    markup: page.markup.replace(attribute, rename),
  };
}

/** The names a to z, then aa to zz and so on, by index. */
const shortName = (i: number): string =>
  (i < 26 ? '' : shortName(Math.floor(i / 26) - 1)) + String.fromCharCode(97 + (i % 26));

const attribute = / class="[^"]*"/g;
const hash = /\bcss-[\w-]+/g;

const classesOf = (markup: string): string[] =>
  (markup.match(attribute) ?? []).flatMap((classes) => classes.match(hash) ?? []);
