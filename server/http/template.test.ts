import { expect, it } from 'vitest';
import { fillTemplate } from './template.ts';

it('fills slots with escaped values', () => {
  const filled = fillTemplate('<p>{{error}}</p><i title="{{name}}">{{unknown}}', {
    error: '<script>',
    name: '"&\'$& {{error}}',
  });
  expect(filled).toBe('<p>&lt;script&gt;</p><i title="&quot;&amp;&#39;$&amp; {{error}}">');
});

it('knows no slots but those it is given', () => {
  expect(fillTemplate('a{{constructor}}{{#toString}}b{{/toString}}', {})).toBe('a');
});

it('keeps a part only when its slot has a value', () => {
  const html = 'a{{#origin}}<link href="{{origin}}/">\n{{/origin}}b{{#name}}c{{/name}}';
  expect(fillTemplate(html, { origin: 'https://a.example' })).toBe(
    'a<link href="https://a.example/">\nb',
  );
  expect(fillTemplate(html, { origin: undefined, name: 'x' })).toBe('abc');
});

it('keeps a part only when its slot has none', () => {
  const html = '{{^refused}}<iframe>{{/refused}}{{#refused}}<a>{{/refused}}';
  expect(fillTemplate(html, {})).toBe('<iframe>');
  expect(fillTemplate(html, { refused: 'yes' })).toBe('<a>');
});
