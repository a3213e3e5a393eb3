import { expect, it } from 'vitest';
import { site as sample } from '../testing/sample-config.ts';
import { colourFindings } from './colours.ts';
import { callFindings, contentChecks } from './content.ts';
import { type Finding, findingsOf, inForm } from './finding.ts';
import { loopbackFindings } from './links.ts';

const finding = (form?: Finding['form']): Finding => ({
  ...{ kind: 'todo', where: 'X', text: 'is wrong.', line: 3 },
  ...(form && { form }),
});

it('findings with the same sentence are one in the form, at the field of the first', () => {
  const sentence = (count: number) => `${count} quotes are samples.`;
  expect(
    inForm([
      finding({ path: 'quotes.0', sentence }),
      finding(),
      finding({ path: 'quotes.2', sentence }),
      finding({ path: 'photo', sentence: 'The photo is a drawing.' }),
    ]),
  ).toEqual([
    { kind: 'todo', path: 'quotes.0', text: '2 quotes are samples.' },
    { kind: 'todo', where: 'X', text: 'is wrong.' },
    { kind: 'todo', path: 'photo', text: 'The photo is a drawing.' },
  ]);
});

const links = { ...sample.links, quiz: 'http://localhost:3000/quiz' };
const pale = { light: '#F2B90C', dark: '#1D4ED8' };
const colours = { ...sample.colours, lines: { ...sample.colours.lines, management: pale } };
const ofDocument = [
  ...findingsOf(contentChecks(sample)),
  ...callFindings(sample, { readsCalendars: true }),
  ...loopbackFindings({ ...sample, links }),
  ...colourFindings(colours),
];

it.each(inForm(ofDocument))(
  'the form says “$text” and opens $path',
  ({ text, path = '', where }) => {
    expect(where).toBeUndefined();
    expect(text).toMatch(/^[A-Z].*[.)”]\.?$/);
    expect(text).not.toMatch(/''|\[\]|folder|between|[a-z]\.[a-z]+ (still|leads|is)\b|\bfile\b/);
    const value = path
      .split('.')
      .reduce<unknown>((part, key) => (part as Record<string, unknown>)[key], sample);
    expect(value).toBeDefined();
  },
);
