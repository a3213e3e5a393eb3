import { expect, it } from 'vitest';
import { fillTemplate } from './template.ts';

it('template escapes the values of its variables', () => {
  const filled = fillTemplate('<p>{{error}}</p><i title="{{name}}">{{unknown}}', {
    error: '<script>',
    name: '"&\'$& {{error}}',
  });
  expect(filled).toBe('<p>&lt;script&gt;</p><i title="&quot;&amp;&#39;$&amp; {{error}}">');
});

it('template ignores inherited property names', () => {
  expect(fillTemplate('a{{constructor}}{{#toString}}b{{/toString}}', {})).toBe('a');
});

it('section stays only when its variable has a value', () => {
  const html = 'a{{#origin}}<link href="{{origin}}/">\n{{/origin}}b{{#name}}c{{/name}}';
  expect(fillTemplate(html, { origin: 'https://a.example' })).toBe(
    'a<link href="https://a.example/">\nb',
  );
  expect(fillTemplate(html, { origin: undefined, name: 'x' })).toBe('abc');
});

it('inverted section stays only when its variable has no value', () => {
  const html = '{{^hasDays}}<p>{{/hasDays}}{{#hasDays}}<ol>{{/hasDays}}';
  expect(fillTemplate(html, { hasDays: false })).toBe('<p>');
  expect(fillTemplate(html, { hasDays: true })).toBe('<ol>');
});

it('section of a list is repeated with the variables of each entry and those around it', () => {
  const html =
    '{{#days}}<p>{{day}} {{zone}}: {{#slots}}<i>{{time}}{{#isChosen}}!{{/isChosen}}</i>{{/slots}}</p>{{/days}}{{^days}}none{{/days}}';
  const days = [
    { day: 'Mon', slots: [{ time: '10' }, { time: '11', isChosen: true }] },
    { day: 'Tue', slots: [] },
  ];
  expect(fillTemplate(html, { zone: 'GMT', days })).toBe(
    '<p>Mon GMT: <i>10</i><i>11!</i></p><p>Tue GMT: </p>',
  );
  expect(fillTemplate(html, { days: [] })).toBe('none');
});

it('values with the syntax of templates are not filled again', () => {
  const html = '{{#days}}{{day}}{{/days}}{{secret}}';
  expect(fillTemplate(html, { secret: 's', days: [{ day: '{{secret}}{{#days}}' }] })).toBe(
    '{{secret}}{{#days}}s',
  );
});
