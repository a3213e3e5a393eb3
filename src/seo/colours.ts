import { system } from '../theme/theme.ts';

const values = system.tokens.cssVarMap.get('base');

/** A colour of the theme on light ground, as a picture outside a page needs it: `line-blue`. */
export function colour(name: string): string {
  const value = values?.get(`--c-colors-${name}`);
  if (value === undefined) throw new Error(`The theme has no colour ${name}.`);
  return value;
}
