/** What in the owner's words is still a sample. */
import type { site } from '../../site.config.ts';
import { isPlaceholder } from '../contract/placeholder.ts';
import { fieldName } from '../text/field-name.ts';
import type { Finding } from './finding.ts';
import { samples } from './samples.ts';

type Site = typeof site;

interface Leaf {
  path: PropertyKey[];
  value: string;
}

/** What to do about a sample, by where it stands; fields below the longer paths are one finding. */
const places: [place: string, isWhole: boolean, advice: string][] = [
  ['brand.name', true, 'Write your own name, or that of your business.'],
  ['brand.email', true, 'Write an address that you read: visitors are told it.'],
  ['seo', false, 'Write what search engines shall show of you.'],
  ['links.instagram', true, "Paste the address of your profile, or write '' to leave it out."],
  ['links.linkedin', true, "Paste the address of your profile, or write '' to leave it out."],
  ['links.quiz', true, 'Paste the address of your quiz.'],
  [
    'links.checkout',
    true,
    "Paste the address of your Payment Link, or write '' if you sell nothing here.",
  ],
  ['schedulers', false, "Paste your calendar's address; until then visitors are asked to e-mail."],
  ['testimonials.quotes.#', true, 'Put the words of a client of yours there, or take them out.'],
  ['about.name', true, 'Write your own.'],
  ['about.timetable', true, 'Tell your own years.'],
  ['about.text', true, 'Tell it about yourself.'],
];

/** One finding for each person, address or story in the file that is not the owner's own yet. */
export function contentFindings(site: Site): Finding[] {
  const findings = new Map<string, Finding>();
  const strangersName = nameNotOf(site.brand.name);
  for (const leaf of leavesOf(site)) {
    const fault = faultOf(leaf.value, strangersName);
    if (!fault) continue;
    const { path, advice } = placeOf(leaf.path);
    const where = fieldName(path);
    if (findings.has(where)) continue;
    const topic = /^(links|schedulers|optInScript)/.test(where) ? 'links' : 'words';
    findings.set(where, { topic, kind: 'todo', where, text: `${fault}. ${advice}` });
  }
  return [...findings.values(), ...emptyCalendars(site)];
}

const emptyCalendars = ({ schedulers }: Site): Finding[] =>
  Object.entries(schedulers)
    .filter(([, address]) => address === '')
    .map(([name]) => ({
      topic: 'links',
      kind: 'advice',
      where: `schedulers.${name}`,
      text: 'is empty: visitors are asked to e-mail instead.',
    }));

function faultOf(value: string, strangersName: RegExp | undefined): string | undefined {
  if (value === samples.name || samples.texts.includes(value)) {
    return `has the sample “${shortened(value)}”`;
  }
  const address = value.includes('@') ? value.slice(value.indexOf('@') + 1) : value;
  if (/^\S+\.example(\/\S*)?$/.test(address) && isPlaceholder(address)) {
    return `has the placeholder ${value}, which leads nowhere`;
  }
  const [stranger] = strangersName?.exec(value) ?? [];
  return stranger && `still speaks of ${stranger}: “${shortened(value)}”`;
}

/** Finds the words of the sample's name, but for those that are in the owner's own. */
function nameNotOf(name: string): RegExp | undefined {
  const own = name === samples.name ? [] : name.toLowerCase().split(/\s+/);
  const words = samples.name.split(' ').filter((word) => !own.includes(word.toLowerCase()));
  return words.length > 0 ? new RegExp(`\\b(${words.join('|')})\\b`, 'i') : undefined;
}

function placeOf(path: PropertyKey[]): { path: PropertyKey[]; advice: string } {
  const shape = path.map((key) => (typeof key === 'number' ? '#' : String(key)));
  for (const [place, isWhole, advice] of places) {
    const keys = place.split('.');
    if (keys.every((key, i) => key === shape[i])) {
      return { path: isWhole ? path.slice(0, keys.length) : path, advice };
    }
  }
  return { path, advice: 'Write your own.' };
}

function leavesOf(value: unknown, path: PropertyKey[] = []): Leaf[] {
  if (typeof value === 'string') return [{ path, value }];
  if (Array.isArray(value)) return value.flatMap((entry, i) => leavesOf(entry, [...path, i]));
  return Object.entries(value as object).flatMap(([key, entry]) => leavesOf(entry, [...path, key]));
}

const shortened = (text: string) => (text.length > 40 ? `${text.slice(0, 38).trimEnd()} …` : text);
