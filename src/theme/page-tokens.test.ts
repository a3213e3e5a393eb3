import { expect, test } from 'vitest';
import { inlineTokens, type Tokens } from './page-tokens.ts';

const dark = '@media (prefers-color-scheme: dark)';

const tokens: Tokens = {
  base: new Map([
    ['--c-spacing-0\\.5', '0.125rem'],
    ['--c-spacing-4', '1rem'],
    ['--c-wide', 'calc(var(--c-spacing-4) * 3)'],
    ['--c-fg', '#000'],
    ['--c-bg', '#fff'],
    ['--c-sign', '#fc3'],
    ['--c-card', 'var(--c-paper)'],
    ['--c-paper', '#eee'],
    ['--c-unused', '#111'],
  ]),
  media: new Map([
    [
      dark,
      new Map([
        ['--c-fg', '#fff'],
        ['--c-bg', '#000'],
        ['--c-sign', '#fc3'],
        ['--c-card', 'var(--c-fg)'],
        ['--c-unused', '#222'],
      ]),
    ],
  ]),
};

const processed = (css: string, markup = '', islandMarkup = '') =>
  inlineTokens({ css, markup: markup + islandMarkup }, islandMarkup, tokens);

test('a token with a single value is inlined and not declared', () => {
  const { css } = processed(
    'a{margin:var(--c-spacing-4) var(--c-spacing-0\\.5);fill:var(--c-sign)}',
  );
  expect(css).toContain('a{margin:1rem 0.125rem;fill:#fc3}');
  expect(css).not.toContain('--');
});

test('a token that refers to other tokens is inlined', () => {
  expect(processed('a{width:var(--c-wide)}').css).toContain('a{width:calc(1rem * 3)}');
});

test('a token with another value in dark mode is declared twice, under a short name', () => {
  const { css, markup } = processed(
    'a{color:var(--c-fg);border-color:var(--c-fg);background:var(--c-bg)}',
    '<path stroke="var(--c-bg)">',
  );
  expect(css).toBe(
    'a{color:var(--1);border-color:var(--1);background:var(--0)}' +
      `:root{--0:#fff;--1:#000}${dark}{:root{--0:#000;--1:#fff}}`,
  );
  expect(markup).toBe('<path stroke="var(--0)">');
});

test('tokens that only other tokens refer to are declared, and unused tokens are not', () => {
  const { css } = processed('a{color:var(--c-card)}');
  expect(css).toContain(`:root{--0:#eee;--1:#000}${dark}{:root{--0:var(--1);--1:#fff}}`);
  expect(css).not.toMatch(/#111|#222/);
});

test('tokens in an island’s markup keep their names and are declared', () => {
  const island = '<i fill="var(--c-fg)" stroke="var(--c-sign)">';
  const { css, markup } = processed('a{color:var(--c-fg)}', '<b fill="var(--c-fg)">', island);
  expect(markup).toBe(`<b fill="var(--c-fg)">${island}`);
  expect(css).toContain('a{color:var(--c-fg)}');
  expect(css).toContain(':root{--c-fg:#000;--c-sign:#fc3}');
});

test('a token with a fallback value is declared', () => {
  const { css } = processed('a{color:var(--c-fg, red)}');
  expect(css).toContain('a{color:var(--0, red)}:root{--0:#000}');
});

test('Chakra’s copies of backgrounds are removed unless something uses them', () => {
  const css = 'a{background:red;--bg-currentcolor:red;color:blue}';
  expect(processed(css).css).toBe('a{background:red;color:blue}');
  const read = `${css}b{color:var(--bg-currentcolor)}`;
  expect(processed(read).css).toBe(read);
});

test('custom properties that are not tokens are not changed', () => {
  const css = 'a{--line:red;color:var(--line);fill:var(--c-other, blue)}';
  expect(processed(css).css).toContain(css);
});
