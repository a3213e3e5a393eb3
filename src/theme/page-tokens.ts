/**
 * The tokens of the theme as a prerendered page holds them. A token that has one value stands where
 * it is used; the others are declared, those the page uses, under short names. Chakra declares every
 * token by its whole name: a fifth of the page's styles.
 */
import { system } from './theme.ts';

interface Page {
  css: string;
  markup: string;
}

/** Values of the custom properties: those that always hold, and those of a media query. */
export interface Tokens {
  base: Map<string, string>;
  /** By at-rule. */
  media: Map<string, Map<string, string>>;
}

/** The theme without the declarations of its tokens, for a page that gets them from `settleTokens`. */
export const systemWithoutTokens: typeof system = {
  ...system,
  _global: system._global.filter((styles) => !('@layer tokens' in styles)),
};

/** The declarations that `systemWithoutTokens` lacks, for styles that are added in the browser. */
export const systemOfTokens: typeof system = { ...system, _global: [system.getTokenCss()] };

const named = /--c-(?:[\w-]|\\.)+/g;
/** Chakra notes each background beside itself, for a value `currentBg`. */
const noted = /--bg-currentcolor:[^;{}]*;?/g;
const reference = /var\((--c-(?:[\w-]|\\.)+)\)/g;

/**
 * The page with its tokens settled. `kept` is the markup of its islands: it stays as it is, since the
 * browser will compute it again.
 */
export function settleTokens(page: Page, kept: string, tokens = tokensOf(system)): Page {
  const stay = new Set(kept.match(named));
  const isFixed = (name: string) =>
    !stay.has(name) &&
    tokens.base.has(name) &&
    [...tokens.media.values()].every((values) => {
      const other = values.get(name);
      return other === undefined || other === tokens.base.get(name);
    });
  const inlined = (text: string): string =>
    text.replace(reference, (whole, name: string) =>
      isFixed(name) ? inlined(tokens.base.get(name) ?? '') : whole,
    );

  const isNoteRead = page.css.includes('var(--bg-currentcolor)');
  const css = inlined(isNoteRead ? page.css : page.css.replace(noted, ''));
  const markup = inlined(page.markup);
  const used = usedIn(css + markup, tokens, inlined);
  const short = new Map(
    used.filter((name) => !stay.has(name)).map((name, i) => [name, `--${i.toString(36)}`]),
  );
  const renamed = (text: string) => text.replace(named, (name) => short.get(name) ?? name);
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

/** Names of the tokens the text needs, the most used first, and then those that their values need. */
function usedIn(text: string, { base, media }: Tokens, inlined: (text: string) => string) {
  const uses = new Map<string, number>();
  for (const [name] of text.matchAll(named)) {
    if (base.has(name)) uses.set(name, (uses.get(name) ?? 0) + 1);
  }
  const used = new Set(
    [...uses].sort(([a, m], [b, n]) => n - m || (a < b ? -1 : 1)).map(([name]) => name),
  );
  // A set takes in what is added while it is walked.
  for (const name of used) {
    for (const values of [base, ...media.values()]) {
      for (const [other] of inlined(values.get(name) ?? '').matchAll(named)) {
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
