import { expect, it } from 'vitest';
import { fillSlots } from './template.ts';

it('fills slots with escaped values', () => {
  const filled = fillSlots('<p>{{error}}</p><i title="{{name}}">{{unknown}}', {
    error: '<script>',
    name: '"&\'$& {{error}}',
  });
  expect(filled).toBe('<p>&lt;script&gt;</p><i title="&quot;&amp;&#39;$&amp; {{error}}">');
});

it('knows no slots but those it is given', () => {
  expect(fillSlots('a{{constructor}}{{#toString}}b{{/toString}}', {})).toBe('a');
});

it('keeps a part only when its slot has a value', () => {
  const html = 'a{{#origin}}<link href="{{origin}}/">\n{{/origin}}b{{#name}}c{{/name}}';
  expect(fillSlots(html, { origin: 'https://a.example' })).toBe(
    'a<link href="https://a.example/">\nb',
  );
  expect(fillSlots(html, { origin: undefined, name: 'x' })).toBe('abc');
});

it('keeps a part only when its slot has none', () => {
  const html = '{{^refused}}<iframe>{{/refused}}{{#refused}}<a>{{/refused}}';
  expect(fillSlots(html, {})).toBe('<iframe>');
  expect(fillSlots(html, { refused: 'yes' })).toBe('<a>');
});
