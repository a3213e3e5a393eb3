/**
 * Design tokens in prerendered pages. Tokens with a single value are inlined; the other tokens that
 * the page uses are declared under short names. Chakra would declare every token under its full name,
 * which is a fifth of the page's styles.
 */
import { system } from './theme.ts';

interface Page {
  css: string;
  markup: string;
}

/** Values of the tokens' custom properties: the base values, and overrides in media queries. */
export interface Tokens {
  base: Map<string, string>;
  /** By at-rule. */
  media: Map<string, Map<string, string>>;
}

/** The theme without token declarations, for pages that get them from `inlineTokens`. */
export const systemWithoutTokens: typeof system = {
  ...system,
  _global: system._global.filter((styles) => !('@layer tokens' in styles)),
};

/** The theme with token declarations as its only global styles, for islands. */
export const tokensOnlySystem: typeof system = { ...system, _global: [system.getTokenCss()] };

const tokenName = /--c-(?:[\w-]|\\.)+/g;
/** Chakra repeats each background in a custom property, for its value `currentBg`. */
const backgroundCopy = /--bg-currentcolor:[^;{}]*;?/g;
const reference = /var\((--c-(?:[\w-]|\\.)+)\)/g;

/**
 * Inlines or shortens the tokens of a page. Tokens in `islandMarkup` keep their names, since the
 * browser recomputes that markup on hydration.
 */
export function inlineTokens(page: Page, islandMarkup: string, tokens = tokensOf(system)): Page {
  const reserved = new Set(islandMarkup.match(tokenName));
  const isConstant = (name: string) =>
    !reserved.has(name) &&
    tokens.base.has(name) &&
    [...tokens.media.values()].every((values) => {
      const other = values.get(name);
      return other === undefined || other === tokens.base.get(name);
    });
  const inlined = (text: string): string =>
    text.replace(reference, (whole, name: string) =>
      isConstant(name) ? inlined(tokens.base.get(name) ?? '') : whole,
    );

  const isCopyUsed = page.css.includes('var(--bg-currentcolor)');
  const css = inlined(isCopyUsed ? page.css : page.css.replace(backgroundCopy, ''));
  const markup = inlined(page.markup);
  const used = usedIn(css + markup, tokens, inlined);
  const short = new Map(
    used.filter((name) => !reserved.has(name)).map((name, i) => [name, `--${i.toString(36)}`]),
  );
  const renamed = (text: string) => text.replace(tokenName, (name) => short.get(name) ?? name);
  const declared = (values: Map<string, string>) => {
    const declarations = used.flatMap((name) => {
      const value = values.get(name);
      return value === undefined ? [] : [`${name}:${inlined(value)}`];
    });
    return declarations.length > 0 ? `:root{${declarations.join(';')}}` : '';
  };
  const inMedia = ([rule, values]: [string, Map<string, string>]) => {
    const declarations = declared(values);
    return declarations && `${rule}{${declarations}}`;
  };
  const declarations = declared(tokens.base) + [...tokens.media].map(inMedia).join('');
  return { css: renamed(css + declarations), markup: renamed(markup) };
}

/** The tokens that `text` uses, the most used first, then the tokens that their values refer to. */
function usedIn(text: string, { base, media }: Tokens, inlined: (text: string) => string) {
  const uses = new Map<string, number>();
  for (const [name] of text.matchAll(tokenName)) {
    if (base.has(name)) uses.set(name, (uses.get(name) ?? 0) + 1);
  }
  const used = new Set(
    [...uses].sort(([a, m], [b, n]) => n - m || (a < b ? -1 : 1)).map(([name]) => name),
  );
  // Iterating over a Set includes items added during the iteration.
  for (const name of used) {
    for (const values of [base, ...media.values()]) {
      for (const [other] of inlined(values.get(name) ?? '').matchAll(tokenName)) {
        if (base.has(other)) used.add(other);
      }
    }
  }
  return [...used];
}

function tokensOf({ tokens, conditions }: typeof system): Tokens {
  const { base = new Map(), ...others } = Object.fromEntries(tokens.cssVarMap);
  const media = Object.entries(others).map(
    ([condition, values]) => [conditions.resolve(condition), values] as const,
  );
  return { base, media: new Map(media) };
}
