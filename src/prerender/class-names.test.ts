import { expect, it } from 'vitest';
import { shortenClasses } from './class-names.ts';

const css = '.css-a1{color:red}.css-b2:hover,.css-c3>p{margin:0}.css-a1-x{top:0}';
const markup = '<p class="css-b2">css<b class="bold css-a1"></b><i class="css-b2 css-c3"></i></p>';

it('shortenClasses renames classes in styles and markup, the most used first', () => {
  expect(shortenClasses({ css, markup }, '')).toEqual({
    css: '.b{color:red}.a:hover,.c>p{margin:0}.css-a1-x{top:0}',
    markup: '<p class="a">css<b class="bold b"></b><i class="a c"></i></p>',
  });
});

it('shortenClasses does not change text and URLs that look like classes', () => {
  const words =
    '<a href="https://css-a1.com/css-b2" title="css-a1">css-a1 class=&quot;css-a1&quot;</a>';
  const sheet = `.css-a1{background:url(/css-a1.png)}`;
  expect(shortenClasses({ css: sheet, markup: `<b class="css-a1">${words}</b>` }, '')).toEqual({
    css: '.a{background:url(/css-a1.png)}',
    markup: `<b class="a">${words}</b>`,
  });
});

it('shortenClasses keeps the classes of islands', () => {
  expect(shortenClasses({ css, markup }, '<b class="bold css-a1"></b>').markup).toContain(
    'bold css-a1',
  );
});

it('shortenClasses uses two letters after z', () => {
  const names = Array.from({ length: 28 }, (_, i) => `css-${i + 100}`);
  const { markup } = shortenClasses({ css: '', markup: `<b class="${names.join(' ')}"></b>` }, '');
  expect(markup).toMatch(/^<b class="a b .* y z aa ab"><\/b>$/);
});
