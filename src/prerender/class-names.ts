/**
 * Gives the classes of a page short names, the most used the shortest: emotion's hashes do not
 * compress. `kept` is markup whose classes stay as they are, since the browser will compute them
 * again when it hydrates an island. The owner's words stay as they are, too: only what stands in a
 * `class` is a class.
 */
export function shortenClasses(page: { css: string; markup: string }, kept: string) {
  const stay = new Set(classesOf(kept));
  const uses = new Map<string, number>();
  for (const name of classesOf(page.markup)) {
    if (!stay.has(name)) uses.set(name, (uses.get(name) ?? 0) + 1);
  }
  const byUse = [...uses].sort(([, m], [, n]) => n - m);
  const short = new Map(byUse.map(([name], i) => [name, shortName(i)]));
  const rename = (text: string) => text.replace(hash, (name) => short.get(name) ?? name);
  return {
    css: page.css.replace(/\.css-[\w-]+/g, rename),
    markup: page.markup.replace(attribute, rename),
  };
}

/** a to z, then aa to zz and so on. */
const shortName = (i: number): string =>
  (i < 26 ? '' : shortName(Math.floor(i / 26) - 1)) + String.fromCharCode(97 + (i % 26));

const attribute = / class="[^"]*"/g;
const hash = /\bcss-[\w-]+/g;

const classesOf = (markup: string): string[] =>
  (markup.match(attribute) ?? []).flatMap((classes) => classes.match(hash) ?? []);
