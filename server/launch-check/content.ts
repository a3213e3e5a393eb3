/** Finds samples and placeholders that the owner has not replaced in `site.config.ts`. */
import type { SiteConfig } from '../../site.defaults.ts';
import { isPlaceholder } from '../../site.placeholder.ts';
import { type Calls, hasSampleHours } from '../booking/calls.ts';
import { fieldName } from '../text/field-name.ts';
import type { Check, Finding } from './finding.ts';
import { samples } from './samples.ts';

type Site = Omit<SiteConfig, 'calls' | 'legal'> & {
  calls: Calls;
  legal?: SiteConfig['legal'] | undefined;
};

interface Leaf {
  path: PropertyKey[];
  value: string;
}

interface Advice {
  /** `#` is any index. */
  path: string;
  /** Whether all samples below the path are one finding. */
  isOne?: true;
  /** What to do, in the file. */
  advice: string;
  /** What the form says. */
  sentence: string | ((count: number) => string);
}

const numbers = ['One', 'Two', 'Three', 'Four', 'Five', 'Six', 'Seven'];

const profileAdvice =
  'Paste the address of your profile, or leave nothing between its quotes to hide it.';

const advices: Advice[] = [
  {
    path: 'brand.name',
    isOne: true,
    advice: 'Write your own name, or that of your business.',
    sentence: 'Your name is a sample.',
  },
  {
    path: 'brand.email',
    isOne: true,
    advice: 'Write an address that you read: visitors see it.',
    sentence: 'Your email address is a sample.',
  },
  {
    path: 'seo',
    advice: 'Write what search engines should show.',
    sentence: 'What search engines show is a sample.',
  },
  {
    path: 'links.instagram',
    isOne: true,
    advice: profileAdvice,
    sentence: 'The link to your Instagram profile is a sample.',
  },
  {
    path: 'links.linkedin',
    isOne: true,
    advice: profileAdvice,
    sentence: 'The link to your LinkedIn profile is a sample.',
  },
  {
    path: 'links.quiz',
    isOne: true,
    advice: 'Paste the address of your quiz.',
    sentence: 'The link to your quiz is a sample.',
  },
  {
    path: 'links.checkout',
    isOne: true,
    advice:
      'Paste the address of your Payment Link, or leave nothing between its quotes if you sell nothing here.',
    sentence: 'The link to your checkout is a sample.',
  },
  {
    path: 'schedulers',
    advice:
      "Paste your calendar's address, or leave nothing between its quotes for that of this site.",
    sentence: 'The address of your calendar elsewhere is a sample.',
  },
  {
    path: 'testimonials.quotes.#',
    isOne: true,
    advice: 'Replace it with the words of a client, or delete it.',
    sentence: (count) =>
      `${numbers[count - 1] ?? count} ${count === 1 ? 'quote is a sample' : 'quotes are samples'}.`,
  },
  {
    path: 'about.name',
    isOne: true,
    advice: 'Write your own.',
    sentence: 'Your full name is a sample.',
  },
  {
    path: 'about.timetable',
    isOne: true,
    advice: 'Write your own years.',
    sentence: 'The timetable of your years is a sample.',
  },
  {
    path: 'about.text',
    isOne: true,
    advice: 'Write about yourself.',
    sentence: 'The text about you is a sample.',
  },
  {
    path: 'legal.name',
    isOne: true,
    advice: 'Write your full name, or that of your company.',
    sentence: 'Your full name in the imprint is a sample.',
  },
  {
    path: 'legal.address',
    isOne: true,
    advice: 'Write your postal address: the law of many countries asks for it.',
    sentence: 'Your postal address is a sample.',
  },
  {
    path: 'legal.providers',
    isOne: true,
    advice:
      'Name your host, mail provider and others who handle data for you, or write [] for none.',
    sentence: 'The providers on the privacy page are samples.',
  },
  {
    path: 'about.photo',
    isOne: true,
    advice:
      'Put a picture of you into the folder public, or leave nothing between its quotes for none.',
    sentence: 'The photo of you is a drawing.',
  },
];

/** The parts of the file, by the names of their fields; the last one is the rest. */
const parts = [
  { topic: 'words', fields: /^brand\./, done: 'Your name and email address are in place.' },
  { topic: 'words', fields: /^testimonials\./, done: 'No testimonial is a sample.' },
  { topic: 'words', fields: /^about\./, done: 'The section about you is yours.' },
  {
    topic: 'links',
    fields: /^(links|schedulers|optInScript)\b/,
    done: 'Your links and calendars are in place.',
  },
  { topic: 'words', fields: /^legal\b/, done: 'The imprint and the privacy page name you.' },
  { topic: 'words', fields: /^/, done: 'No other text is a sample.' },
] as const;

/** One check for each part of the file, with the samples and placeholders left in it. */
export function contentChecks(site: Site): Check[] {
  const findings = contentFindings(site);
  const partOf = ({ where }: Finding) => parts.find(({ fields }) => fields.test(where));
  return parts.map((part) => ({
    topic: part.topic,
    done: part.done,
    findings: findings.filter((finding) => partOf(finding) === part),
  }));
}

/** One finding for each person, address or text in the file that is still a sample. */
export function contentFindings(site: Site): Finding[] {
  const findings = new Map<string, Finding>();
  const sampleName = sampleNamePattern(site.brand.name);
  for (const leaf of leavesOf(site)) {
    const problem = problemOf(leaf.value, sampleName);
    if (!problem) continue;
    const found = advices.find((one) => isBelow(leaf.path, one.path));
    const path = found?.isOne ? leaf.path.slice(0, found.path.split('.').length) : leaf.path;
    const where = fieldName(path);
    if (findings.has(where)) continue;
    const { advice, sentence } = found ?? {
      advice: 'Write your own.',
      sentence: `A text ${problem}.`,
    };
    findings.set(where, {
      ...{ kind: 'todo', where, text: `${problem}. ${advice}` },
      form: { path: path.join('.'), sentence },
    });
  }
  return [...findings.values(), ...legalFindings(site)];
}

/** The group is missing in files of older releases. */
function legalFindings({ legal }: Site): Finding[] {
  if (legal) return [];
  return [
    {
      kind: 'todo',
      where: 'legal',
      text: 'is missing, so /imprint and /privacy show no postal address. Copy the group from the site.config.ts of this release.',
      form: {
        path: 'legal.address',
        sentence: 'The imprint and the privacy page show no postal address.',
      },
    },
  ];
}

/** What is left to do for the calendar of this site; nothing when both calls have one elsewhere. */
export function callFindings(
  { schedulers, calls }: Pick<Site, 'schedulers' | 'calls'>,
  { readsCalendars }: { readsCalendars: boolean },
): Finding[] {
  if (!Object.values(schedulers).some(isPlaceholder)) return [];
  const unread: Finding[] = readsCalendars
    ? []
    : [
        {
          kind: 'advice',
          where: 'calls',
          text: 'can be booked while you are busy elsewhere: your other calendars are not read. Connect them under Settings, Other calendars.',
        },
      ];
  if (!hasSampleHours(calls)) return unread;
  return [
    {
      kind: 'todo',
      where: 'calls.hours',
      text: 'still has the sample hours. Write when you take calls, and where you live in calls.timeZone: until then a site with a public address offers no times.',
      form: { path: 'calls.hours', sentence: 'The hours for calls are samples.' },
    },
    ...unread,
  ];
}

function problemOf(value: string, sampleName: RegExp | undefined): string | undefined {
  if (value === samples.name || samples.texts.includes(value)) {
    return `still has the sample text “${shortened(value)}”`;
  }
  const address = value.includes('@') ? value.slice(value.indexOf('@') + 1) : value;
  if (/^\S+\.example(\/\S*)?$/.test(address) && isPlaceholder(address)) {
    return `still has the placeholder address ${value}`;
  }
  const [name] = sampleName?.exec(value) ?? [];
  return name && `still mentions ${name}: “${shortened(value)}”`;
}

/** Matches the words of the sample's name that are not part of the owner's own name. */
function sampleNamePattern(name: string): RegExp | undefined {
  const own = name === samples.name ? [] : name.toLowerCase().split(/\s+/);
  const words = samples.name.split(' ').filter((word) => !own.includes(word.toLowerCase()));
  return words.length > 0 ? new RegExp(`\\b(${words.join('|')})\\b`, 'i') : undefined;
}

const isBelow = (path: readonly PropertyKey[], prefix: string): boolean =>
  prefix
    .split('.')
    .every((key, i) => (key === '#' ? typeof path[i] === 'number' : key === path[i]));

function leavesOf(value: unknown, path: PropertyKey[] = []): Leaf[] {
  if (typeof value === 'string') return [{ path, value }];
  if (Array.isArray(value)) return value.flatMap((entry, i) => leavesOf(entry, [...path, i]));
  return Object.entries(value as object).flatMap(([key, entry]) => leavesOf(entry, [...path, key]));
}

const shortened = (text: string) => (text.length > 40 ? `${text.slice(0, 38).trimEnd()} …` : text);
