const ordinals = new Intl.PluralRules('en', { type: 'ordinal' });
const endings: Partial<Record<Intl.LDMLPluralRule, string>> = { one: 'st', two: 'nd', few: 'rd' };

const ordinal = (n: number) => `${n}${endings[ordinals.select(n)] ?? 'th'}`;

/** A field of `site.config.ts` as its owner counts: `pains.cards (2nd).title`. */
export function fieldName(path: readonly PropertyKey[]): string {
  return path.reduce<string>((name, key) => {
    if (typeof key === 'number') return `${name} (${ordinal(key + 1)})`;
    return name ? `${name}.${String(key)}` : String(key);
  }, '');
}
