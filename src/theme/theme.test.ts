import { afterEach, expect, it, vi } from 'vitest';
import { contrast } from '../../server/contract/contrast.ts';
import { site } from '../../server/testing/sample-config.ts';

afterEach(() => {
  vi.doUnmock('../../site.config.ts');
  vi.resetModules();
});

/** The theme of a site with this primary colour: returns the light and dark value of a colour in it. */
async function themeWith(colour: string) {
  const both = { light: colour, dark: colour };
  const colours = { ...site.colours, primary: both, primaryHover: both };
  vi.resetModules();
  vi.doMock('../../site.config.ts', () => ({ site: { ...site, colours } }));
  const { system } = await import('./theme.ts');
  return (name: string): string[] => {
    const { base, _dark } = system.tokens.getByName(`colors.${name}`)?.extensions.conditions ?? {};
    return [base, _dark];
  };
}

it.each(['#1E3A8A', '#FFCF33', '#000000', '#FFFFFF', '#808080', '#6366F1'])(
  'text and focus are legible with the primary colour %s, in both modes and under the mouse',
  async (colour) => {
    const values = await themeWith(colour);
    for (const name of ['primary.text', 'primary.hoverText']) {
      for (const text of values(name)) expect(contrast(text, colour)).toBeGreaterThan(4.5);
    }
    const inverted = values('bg.inverted');
    for (const [i, ring] of values('primary.focus').entries()) {
      expect(contrast(ring, inverted[i] ?? '')).toBeGreaterThan(3);
    }
  },
);

it('a dark primary button has a visible border on dark backgrounds', async () => {
  const [onPage, onInverted] = [await themeWith('#1E3A8A'), await themeWith('#FFCF33')];
  expect(onPage('primary.border')[1]).toBe('#F7F9F8');
  expect(onPage('primary.borderOnInverted')).toEqual(['#F7F9F8', '#F7F9F8']);
  expect(onInverted('primary.borderOnInverted')).toEqual(['transparent', 'transparent']);
});
