/** For tests: random documents that can be published, whose texts try to leave their place on a page. */
import fc from 'fast-check';
import { z } from 'zod';
import { documentSchema, mistakesIn } from '../content/document.ts';
import { traitsOf } from '../content/kinds.ts';
import { entryOf, fieldsOf } from '../content/parts.ts';
import { en } from '../contract/words/en.ts';
import { toStorable } from '../text/storable.ts';
import { anyText } from './any-text.ts';
import { site } from './sample-config.ts';

/** Pieces of texts. The element `made` and the attribute `made` exist only if a text became markup. */
export const hostileTexts: readonly string[] = [
  '</style><made>',
  '</script><made>',
  '</title></textarea><made>',
  '"><made>',
  "'><made>",
  '" made="1',
  "' made='1",
  '<!--',
  '--><made>',
  ']]><made>',
  '<made made onload=made()>',
  '<script>made()</script>',
  '}made{color:red}',
  '";}made{color:red}a{content:"',
  '\\";}made{color:red}',
  '\\',
  '{origin}',
  '}}',
  'made{',
  '{made}}',
  '&lt;made&gt;',
  '&quot;&#39;&amp;',
  'javascript:made()',
  '`$made`',
  '$& $1 $`',
  'css-1a2b3c',
  '__proto__',
  '\u202e\u2066abc',
  '\u2028\u2029',
  '\u00a0\u200b\ufeff\u00ad',
  '\u{e0100}\u{e0101}\u{e0102}',
  '👩🏽‍🚀🏳️‍🌈',
  'e\u0301\u0302\u0303\u0304',
  'שלום عليكم',
  '漢字かな',
  'ß ŁódŹ Ợ',
  '\u0001\u001f\u007f\u0085',
  'a\r\nb\tc',
];

const photosOf = {
  icon: [''],
  portrait: [site.about.photo],
  face: site.testimonials.quotes.map(({ photo }) => photo),
};

/** Another text as one that a field takes: storable, without the brackets of templates, of this length. */
export function fitted(text: string, max: number): string {
  const storable = toStorable(text).replace(/\{+/g, '{').slice(0, max).toWellFormed();
  return storable.trim() === '' ? 'x' : storable;
}

const piece = fc.oneof(
  { weight: 3, arbitrary: fc.constantFrom(...hostileTexts) },
  { weight: 1, arbitrary: anyText({ maxLength: 12 }) },
  { weight: 1, arbitrary: fc.constantFrom('word', ' ', 'w'.repeat(900)) },
);

const textOf = (max: number) =>
  fc.array(piece, { minLength: 1, maxLength: 6 }).map((pieces) => fitted(pieces.join(''), max));

const addresses = [
  'https://example.com/?a="><made>&b=\'',
  'https://example.com/</script><made>',
  'https://example.com/a;script-src,b#javascript:made()',
  'https://example.com/{origin}`$made`',
];

/** Valid values of the kinds that are no text, group or list. */
const valuesOf: Record<string, readonly unknown[]> = {
  email: ['a@b.example', "o'neil&x=y+z@sub.example.com"],
  language: ['en'],
  link: addresses,
  host: ['https://app.example.com'],
  script: ['', ...addresses.slice(0, 2)],
  paymentLink: ['plink_1AbC'],
  colour: ['#1D4ED8', '#000000', '#ffffff'],
  timeZone: ['Europe/London', 'Asia/Kathmandu', 'America/St_Johns'],
  currency: ['USD', 'JPY', 'KWD'],
  hours: [[], ['10:00-12:30'], ['09:00-10:00', '11:00-12:00']],
  hoursByDate: [{}, { '2027-12-24': ['10:00-12:00'], '2027-12-25': [] }],
  dates: ['2027-12-24', '2027-12-24/2028-01-01'],
  duration: ['15 minutes', '12 hours', '1 day'],
};

function anyValid(schema: z.core.$ZodType): fc.Arbitrary<unknown> {
  if (schema instanceof z.ZodOptional) {
    return fc.option(anyValid(schema.def.innerType), { nil: undefined });
  }
  const fields = fieldsOf(schema);
  if (fields) {
    const parts = Object.entries(fields).map(([key, field]) => [key, anyValid(field)] as const);
    return fc.record(Object.fromEntries(parts), { noNullPrototype: true });
  }
  const { kind, max = 400, least = 0, most = 9, optional, shape } = traitsOf(schema) ?? {};
  const entry = entryOf(schema);
  if (kind === 'list' && entry) {
    const list = fc.array(anyValid(entry), { minLength: least, maxLength: most, size: 'medium' });
    return list.map((entries) => entries.map(withOwnId));
  }
  if (kind === 'number') return fc.integer({ min: least, max: most });
  if (kind === 'id') return fc.constant('');
  if (kind === 'attributes') return fc.dictionary(fc.constant('data-made'), textOf(200));
  const values = kind && valuesOf[kind];
  const value = values
    ? fc.constantFrom(...values)
    : shape
      ? fc.constantFrom(...photosOf[shape])
      : textOf(max);
  return optional ? fc.oneof(value, fc.constant('')) : value;
}

const withOwnId = (entry: unknown, index: number) =>
  typeof entry === 'object' && entry !== null && 'id' in entry
    ? { ...entry, id: `entry-${index}` }
    : entry;

/** The value with the places for values, such as `{name}`, that the words of its language have. */
export function withPlaces(value: unknown, original: unknown): unknown {
  if (typeof value === 'string' && typeof original === 'string') {
    const places = (original.match(/\{\w+\}/g) ?? []).filter((place) => !value.includes(place));
    return places.length > 0 ? places.join('') : value;
  }
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return value;
  const originals = Object(original) as Record<string, unknown>;
  return Object.fromEntries(
    Object.entries(value).map(([key, one]) => [key, withPlaces(one, originals[key])]),
  );
}

/** Documents without mistakes. */
export const validDocuments = anyValid(documentSchema).map((value) => {
  // As the database returns it.
  const document = withPlaces(JSON.parse(JSON.stringify(value)), en) as typeof site;
  const mistakes = mistakesIn(document, () => true);
  if (mistakes.length > 0) throw new Error(JSON.stringify(mistakes));
  return document;
});
