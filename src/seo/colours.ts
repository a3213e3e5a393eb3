import { system } from '../theme/theme.ts';

const values = system.tokens.cssVarMap.get('base');

/** The light-mode value of a theme colour such as `line-blue`, for pictures outside a page. */
export function colour(name: string): string {
  const value = values?.get(`--c-colors-${name}`);
  if (value === undefined) throw new Error(`The theme has no colour "${name}".`);
  return value;
}
