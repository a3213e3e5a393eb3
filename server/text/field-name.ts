const ordinals = new Intl.PluralRules('en', { type: 'ordinal' });
const suffixes: Partial<Record<Intl.LDMLPluralRule, string>> = { one: 'st', two: 'nd', few: 'rd' };

const ordinal = (n: number) => `${n}${suffixes[ordinals.select(n)] ?? 'th'}`;

/** Formats the path of a field of `site.config.ts`, counting from one: `pains.cards (2nd).title`. */
export function fieldName(path: readonly PropertyKey[]): string {
  return path.reduce<string>((name, key) => {
    if (typeof key === 'number') return `${name} (${ordinal(key + 1)})`;
    return name ? `${name}.${String(key)}` : String(key);
  }, '');
}
