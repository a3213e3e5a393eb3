import { expect, it } from 'vitest';
import { shortenClasses } from './class-names.ts';

const css = '.css-a1{color:red}.css-b2:hover,.css-c3>p{margin:0}.css-a1-x{top:0}';
const markup = '<p class="css-b2">css<b class="bold css-a1"></b><i class="css-b2 css-c3"></i></p>';

it('renames alike in styles and markup, the most used first', () => {
  expect(shortenClasses({ css, markup }, '')).toEqual({
    css: '._1{color:red}._0:hover,._2>p{margin:0}.css-a1-x{top:0}',
    markup: '<p class="_0">css<b class="bold _1"></b><i class="_0 _2"></i></p>',
  });
});

it('leaves alone what an island will ask for by its own name', () => {
  expect(shortenClasses({ css, markup }, '<b class="bold css-a1">').markup).toContain(
    'bold css-a1',
  );
});
