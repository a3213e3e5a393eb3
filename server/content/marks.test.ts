import fc from 'fast-check';
import { expect, it } from 'vitest';
import { fillWords } from '../contract/words/words.ts';
import { fillTemplate } from '../http/pages/template.ts';
import { withFields, withMarks } from './marks.ts';

const fields = ['title', 'list.0.name', 'list.1.name', 'label'];
const config = {
  title: 'A & B',
  list: [{ name: 'First' }, { name: 'Second' }],
  label: 'Menu',
  other: 'untouched',
};
const marked = withMarks(config, fields);

it('a marked text looks the same, and leads to its field', () => {
  expect(marked.title).not.toBe(config.title);
  expect(marked.title.replace(/\p{M}/gu, '')).toBe(config.title);
  expect(marked.other).toBe('untouched');
  const html = `<h1 class="c0">${marked.title}</h1><p><b>x</b>${marked.list[1]?.name}<br/>y</p>`;
  expect(withFields(html, fields)).toBe(
    '<h1 class="c0" data-field="title">A & B</h1><p data-field="list.1.name"><b>x</b>Second<br/>y</p>',
  );
});

it('a marked text that begins with the place of a value keeps it', () => {
  const { label } = withMarks({ label: '{when} is the call' }, ['label']);
  expect(withFields(`<p>${fillWords(label, { when: 'Monday' })}</p>`, ['label'])).toBe(
    '<p data-field="label">Monday is the call</p>',
  );
});

it('a marked attribute leads to its field, and scripts, styles, titles and comments have no marks', () => {
  const html =
    `<!--${marked.title}--><title>${marked.title}</title><style>a{content:"${marked.title}"}</style>` +
    `<script>"${marked.title}<b>"</script><button aria-label="${marked.label}"><img alt="${marked.list[0]?.name}"/></button>`;
  expect(withFields(html, fields)).toBe(
    '<!--A & B--><title>A & B</title><style>a{content:"A & B"}</style><script>"A & B<b>"</script>' +
      '<button aria-label="Menu" data-field="label"><img alt="First" data-field="list.0.name"/></button>',
  );
});

it('the first of two texts in one element names it', () => {
  const html = `<p>${marked.title}, ${marked.label}</p>`;
  expect(withFields(html, fields)).toBe('<p data-field="title">A & B, Menu</p>');
});

it('missing and empty texts get no mark', () => {
  expect(withMarks({ title: '', list: [] }, fields)).toEqual({ title: '', list: [] });
});

it('any text keeps its characters, whatever its number', () => {
  fc.assert(
    fc.property(
      fc
        .string({ unit: 'grapheme', minLength: 1 })
        .filter((text) => ![...text].some((character) => /[<>&]|\p{M}/u.test(character))),
      fc.nat({ max: 57_599 }),
      (text, index) => {
        const many = Array.from({ length: index + 1 }, (_, i) => `f${i}`);
        const name = many[index] ?? '';
        const { [name]: found = '' } = withMarks({ [name]: text }, many);
        expect(withFields(`<i>${found}</i>`, many)).toBe(`<i data-field="${name}">${text}</i>`);
      },
    ),
    { numRuns: 30 },
  );
});

it('a text with variation selectors of its own leads to its field, and leaves no marks', () => {
  const selector = fc.constantFrom('\u{e0100}', '\u{e0101}', '\u{e01ef}', '葛', 'a', ' ');
  const wanted = /[\u{e0100}-\u{e01ef}]/gu;
  const anyMarked = fc
    .string({ unit: selector, maxLength: 8 })
    .filter((text) => text.replace(wanted, '') !== '');
  fc.assert(
    fc.property(fc.tuple(anyMarked, anyMarked), ([title, label]) => {
      const { title: first, label: second } = withMarks({ title, label }, fields);
      const html = withFields(`<p>${first}</p><i>${second}</i>`, fields);
      const [, name, text] =
        /^<p data-field="title">(.*)<\/p><i data-field="(.*?)">/.exec(html) ?? [];
      expect([name?.replace(wanted, ''), text]).toEqual([title.replace(wanted, ''), 'label']);
      expect(html).not.toMatch(/[\u{e0100}-\u{e01ef}]{2}/u);
    }),
  );
});

it('an ideograph keeps its variant', () => {
  const { title } = withMarks({ title: '葛\u{e0100}城' }, fields);
  expect(withFields(`<p>${title}</p>`, fields)).toContain('>葛\u{e0100}城<');
});

it('brackets of a text are not those of a template, wherever it stands', () => {
  const { title, link } = withMarks({ title: '{{{origin}}', link: '/{{origin}}' }, fields);
  const html = `<style>a{content:"${title}"}</style><a href="${link}" title="${title}">${title}</a>`;
  const unmarked = withFields(html, fields);
  expect(unmarked).toBe(
    '<style>a{content:"{ { {origin}}"}</style>' +
      '<a href="/&#123;{origin}}" title="&#123;&#123;{origin}}" data-field="title">&#123;&#123;{origin}}</a>',
  );
  expect(fillTemplate(unmarked, { origin: 'x' })).toBe(unmarked);
});
