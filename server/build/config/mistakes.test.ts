import { readFile } from 'node:fs/promises';
import { inspect } from 'node:util';
import { describe, expect, it } from 'vitest';
import { mistakesInText, SiteMistakes } from './mistakes.ts';

// A sample, because the owner may change the real file.
const sample = await readFile('server/testing/sample-file.ts', 'utf8');
const samples = ['maya', 'devon', 'ines', 'rowan'].map((name) => `/sample-${name}.svg`);
const pictures = new Set(['/me.jpg', ...samples]);
const mistakes = (text: string) => mistakesInText(text, (path) => pictures.has(path));

/** Returns the sample with these replacements. Throws when one does not match. */
function changed(...changes: [from: string | RegExp, to: string][]): string {
  return changes.reduce((text, [from, to]) => {
    const next = text.replace(from, to);
    if (next === text) throw new Error(`The sample does not say ${from}.`);
    return next;
  }, sample);
}

/** Returns the number of the first line in `text` that contains `part`. */
const lineWith = (text: string, part: string | RegExp) =>
  text.slice(0, typeof part === 'string' ? text.indexOf(part) : text.search(part)).split('\n')
    .length;

/** Removes file name and line from the sentences. */
const alone = (lines: string[]) =>
  lines.map((text) => text.replace(/^site\.config\.ts, line \d+: /, ''));

it('valid config has no mistakes', async () => {
  expect(await mistakes(sample)).toEqual([]);
});

const points = /(management: \{[^[]*points: \[\s*)'[^']*',/;
const firstQuote = /quotes: \[\s*\{[^}]*\},/;

describe('config mistake is one sentence with the field name', () => {
  const table: [from: RegExp, to: string, sentence: string][] = [
    [points, '$1', 'services.management.points needs exactly 4 texts, it has 3.'],
    [
      /quiz: 'https[^']*'/,
      "quiz: 'quiz'",
      'links.quiz must be a web address such as https://…, not "quiz".',
    ],
    [
      /quiz: 'https[^']*'/,
      "quiz: ''",
      'links.quiz must be a web address such as https://…, not "".',
    ],
    [
      /instagram: 'https[^']*'/,
      "instagram: 'http://instagram.com/me'",
      'links.instagram must be a web address such as https://…, or \'\' for none, not "http://instagram.com/me".',
    ],
    [
      /email: '[^']*@[^']*'/,
      "email: 'me at home'",
      'brand.email must be an email address such as me@my-domain.com, not "me at home".',
    ],
    [/tagline: '[^']*',/, '', 'brand.tagline is missing.'],
    [/name: '[^']*'/, "name: '  '", 'brand.name must not be empty.'],
    [/name: '[^']*'/, 'name: 7', 'brand.name must be a text between quotes, not 7.'],
    [
      /name: '[^']*'/,
      `name: '${'long '.repeat(8)}'`,
      'brand.name is 40 characters long; its place has room for 32.',
    ],
    [
      /name: '[^']*'/,
      "name: 'A {{b}}'",
      'brand.name must not have {{ in it: that has a meaning of its own.',
    ],
    [/title: '[^']*',(\s*cards)/, "titel: 'Oh',$1", 'pains.titel is not known. Is it title?'],
    [/ {2}pains: \{/, '  pain: {', 'pain is not known. Is it pains?'],
    [
      /(home: '[^']*',)/,
      "$1 background: 'x',",
      'header.background is not known. Known here are home, services, about, contact and start.',
    ],
    [
      /light: '#[0-9A-F]{6}'/,
      "light: 'blue'",
      'colours.lines.management.light must be a colour such as #1D4ED8, not "blue".',
    ],
    [
      /photo: '[^']*'/,
      "photo: 'me.jpg'",
      "testimonials.quotes (1st).photo must be a picture such as '/me.jpg', or '' for none, not \"me.jpg\".",
    ],
    [
      /photo: '[^']*'/,
      "photo: '/you.jpg'",
      'testimonials.quotes (1st).photo is "/you.jpg", but there is no such picture in the folder public.',
    ],
    [/( {4}text: )\[[\s\S]*?\n {4}\],/, '$1[],', 'about.text needs 1 to 6 texts, it has 0.'],
    [
      /tracks: \[[^\]]*\]/,
      "tracks: 'Leads'",
      'hero.tracks must be a list in [square brackets], not "Leads".',
    ],
    [
      /contact: \{[^}]*\}/,
      "contact: 'Write to me'",
      'dialogs.contact must be a group in {curly brackets}, not "Write to me".',
    ],
    [
      /paymentLinks: \[\]/,
      "paymentLinks: ['https://buy.stripe.com/audit']",
      'paymentLinks (1st) must be the id of a Payment Link, such as \'plink_1AbC\', not "https://buy.stripe.com/audit".',
    ],
    [
      /currency: '[^']*'/,
      "currency: 'euro'",
      'currency must be the code of a currency, such as \'USD\', not "euro".',
    ],
    [
      /timeZone: '[^']*'/,
      "timeZone: 'London'",
      'calls.timeZone must be a time zone such as Europe/London, not "London".',
    ],
    [
      /friday: \['[^']*'\]/,
      "friday: ['10-12']",
      'calls.hours.friday (1st) must be hours such as \'10:00-12:30\', not "10-12".',
    ],
    [
      /friday: \['[^']*'\]/,
      "friday: '10:00-12:30'",
      'calls.hours.friday must be a list in [square brackets], not "10:00-12:30".',
    ],
    [/ +saturday: \[\],\n/, '', 'calls.hours.saturday is missing.'],
    [
      /special: \{[^}]*\}/,
      "special: { 'dec 24': [] }",
      "calls.special.dec 24 must be a date such as '2026-12-24'.",
    ],
    [
      /closed: \[[^\]]*\]/,
      "closed: ['2027-01-01/2026-12-24']",
      "calls.closed (1st) must be a date such as '2026-12-24', or two such as '2026-12-24/2027-01-01', not \"2027-01-01/2026-12-24\".",
    ],
    [
      /minutes: 30/,
      "minutes: '30'",
      'calls.strategyCall.minutes must be a whole number from 5 to 480, not "30".',
    ],
    [
      /notice: '[^']*'/,
      "notice: 'a day'",
      "calls.strategyCall.notice must be a time such as '15 minutes', '12 hours' or '3 days', up to 60 days, not \"a day\".",
    ],
    [
      /vatId: ''/,
      "vat: ''",
      'legal.vat is not known. Known here are imprint, privacy, name, address, phone, register, vatId, responsible and providers.',
    ],
    [
      /register: ''/,
      `register: '${'long '.repeat(25)}'`,
      'legal.register is 125 characters long; its place has room for 120.',
    ],
    [
      /optInScript: ''/,
      "optInScript: 'opt-in.js'",
      "optInScript must be a web address such as https://…, a file such as '/opt-in.js', or '' for none, not \"opt-in.js\".",
    ],
    [
      /optInScript: ''/,
      "optInScript: '/opt-in.js'",
      'optInScript is "/opt-in.js", but there is no such file in the folder public.',
    ],
    [
      /attributes: \{\}/,
      "attributes: { onload: 'alert(1)' }",
      "optIn.attributes.onload must be 'id', 'type' or begin with 'data-'.",
    ],
    [
      /place: \{\}/,
      "place: { style: 'color: red' }",
      "optIn.place.style must be 'id', 'class' or begin with 'data-'.",
    ],
    [
      /hosts: \[\]/,
      "hosts: ['https://app.kit.com/form']",
      'optIn.hosts (1st) must be the address of a host such as https://app.kit.com, not "https://app.kit.com/form".',
    ],
    [/id: 'assistant'/, "id: 'scope'", 'faq.items (2nd).id is "scope" once more.'],
    [
      /id: 'assistant'/,
      "id: 'My Assistant'",
      'faq.items (2nd).id must be made of small letters, digits and dashes, not "My Assistant".',
    ],
  ];
  it.each(table.map(([from, to, sentence]) => [sentence, from, to] as const))(
    '%s',
    async (sentence, from, to) => {
      expect(alone(await mistakes(changed([from, to])))).toEqual([sentence]);
    },
  );
});

it('config mistakes are all reported at once in the order of lines', async () => {
  const text = changed(
    [points, '$1'],
    [/quiz: 'https[^']*'/, "quiz: 'quiz'"],
    [/answer:\s*'/, "answr: '"],
  );
  expect(await mistakes(text)).toEqual([
    `site.config.ts, line ${lineWith(text, "quiz: 'quiz'")}: links.quiz must be a web address such as https://…, not "quiz".`,
    `site.config.ts, line ${lineWith(text, /points: \[/)}: services.management.points needs exactly 4 texts, it has 3.`,
    `site.config.ts, line ${lineWith(text, 'answr:')}: faq.items (1st).answr is not known. Is it answer?`,
  ]);
});

it.each([
  ['currency', / {2}currency: '[^']*',\n/],
  ['optIn', / {2}optIn: \{[^\n]*\},\n/],
  ['optIn.place', /, place: \{\}/],
  ['legal', / {2}legal: \{[^}]*\},\n/],
  ['legal.vatId', / {4}vatId: '',\n/],
])('a config of a release without %s has no mistakes', async (_, field) => {
  expect(await mistakes(changed([field, '']))).toEqual([]);
});

it('valid values of config fields are accepted', async () => {
  const text = changed(
    [/photo: '[^']*'/, "photo: '/me.jpg'"],
    [/email: '[^']*@[^']*'/, "email: 'info@müller.example'"],
    [/linkedin: 'https[^']*'/, "linkedin: ''"],
    [/optInScript: ''/, "optInScript: 'http://127.0.0.1:8080/opt-in.js'"],
    [/attributes: \{\}/, "attributes: { 'data-uid': 'a1', id: 'mcjs' }"],
    [/hosts: \[\]/, "hosts: ['https://app.kit.com']"],
    [/place: \{\}/, "place: { class: 'ml-embedded', 'data-form': 'a1' }"],
    [firstQuote, 'quotes: ['],
  );
  expect(await mistakes(text)).toEqual([]);
});

describe('unreadable config is one sentence with the line', () => {
  it.each<[why: string, from: string | RegExp, to: string, at: string | RegExp, sentence: string]>([
    [
      'unescaped quote in a text',
      /answer:\s*'/,
      "answer: 'It's ",
      "'It's",
      'a quote inside a text ends the text. Please write ’ there, like in "I’m".',
    ],
    [
      'text without closing quote',
      /home: '[^']*',/,
      "home: 'Home,",
      "home: 'Home,",
      "a text is not closed: the quote ' at its end is missing.",
    ],
    [
      'missing comma',
      /home: '[^']*',/,
      "home: 'Home'",
      "home: 'Home'",
      'a comma is missing at the end of this line.',
    ],
    [
      'text without quotes',
      /home: '[^']*',/,
      'home: My Home,',
      'home: My',
      "a text stands without quotes. Please write '…' around it.",
    ],
    ...['‘Home’', '“Home”'].map(
      (text) =>
        [
          `curly quotes: ${text}`,
          /home: '[^']*',/,
          `home: ${text},`,
          `home: ${text}`,
          "the quotes around a text are curly. Please write straight ones: '…'.",
        ] as [string, RegExp, string, string, string],
    ),
    [
      'word without quotes',
      /home: '[^']*',/,
      'home: Home,',
      'home: Home',
      "Home stands without quotes. Please write 'Home'.",
    ],
    [
      'group without brackets',
      /faq: \{/,
      'faq:',
      /title: '[^']*',\s*items: \[\s*\{\s*id:/,
      'something is missing or too much here or just before: a quote, a comma or a bracket.',
    ],
    [
      'file without export of site',
      'export const site',
      'const site',
      /^/,
      'the line "export const site = {" is missing.',
    ],
  ])('%s', async (_, from, to, at, sentence) => {
    const text = changed([from, to]);
    expect(await mistakes(text)).toEqual([
      `site.config.ts, line ${lineWith(text, at)}: ${sentence}`,
    ]);
  });

  it('unclosed bracket inside a line is reported with its line', async () => {
    const [sentence, ...others] = await mistakes(changed([/(tracks: \[[^\]]*)\]/, '$1']));
    expect(others).toEqual([]);
    const at = lineWith(sample, 'tracks: [');
    expect(sentence).toContain(`line ${at}: the bracket [ in this line is not closed.`);
  });

  it('unclosed bracket is reported with its line, for every bracket that has a line of its own', async () => {
    const lines = sample.split('\n');
    const opened: { line: number; indent: string; bracket: string }[] = [];
    let closed = 0;
    for (const [i, line] of lines.entries()) {
      const [, indent = ''] = /^( *)/.exec(line) ?? [];
      if (/^ *[\]}]/.test(line)) {
        const opening = opened.findLast((one) => one.indent === indent);
        const without = lines.toSpliced(i, 1).join('\n');
        expect(await mistakes(without)).toEqual([
          expect.stringContaining(
            `line ${opening?.line}: the bracket ${opening?.bracket} in this line is not closed.`,
          ),
        ]);
        closed++;
      }
      const bracket = /[[{]$/.exec(line)?.[0];
      if (bracket) opened.push({ line: i + 1, indent, bracket });
    }
    expect(closed).toBeGreaterThan(50);
  });
});

it('SiteMistakes prints its sentences without a stack', () => {
  const error = new SiteMistakes(['site.config.ts, line 3: brand.name is missing.']);
  for (const printed of [String(error.stack), inspect(error), error.message]) {
    expect(printed).toBe(
      'site.config.ts, line 3: brand.name is missing.\nNothing was built. Please mend this and start again.',
    );
  }
});
