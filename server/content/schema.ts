/**
 * The schema of `site.config.ts`: the type of each field, and the length that the design has room for. A
 * field that exists only here or only in the file stops the build.
 */
import type { z } from 'zod';
import type { site } from '../../site.config.ts';
import type { Legal, OptIn, Quote, SiteConfig } from '../../site.defaults.ts';
import type { Calls } from '../booking/calls.ts';
import { fieldsWith } from '../contract/contact-fields.ts';
import { en } from '../contract/words/en.ts';
import type { ChangedWords, Words } from '../contract/words/words.ts';
import {
  attributes,
  colour,
  currency,
  dates,
  duration,
  type Exists,
  email,
  exactly,
  group,
  host,
  hours,
  hoursByDate,
  id,
  language,
  link,
  list,
  optionalLink,
  optionalText,
  paymentLink,
  photo,
  script,
  text,
  textLike,
  timeZone,
  unusedText,
  whole,
  withOwnIds,
} from './kinds.ts';

/** The text of a button or a link. */
const action = text(44);
/** The heading of a section. */
const title = text(90);
/** A sentence or two below a heading. */
const lead = text(320);
/** One or two words: a menu entry, the label of a field. */
const label = text(28);

const bothModes = group({ light: colour(), dark: colour() });

const service = group({
  name: text(40),
  summary: text(140),
  points: exactly(4, 'texts', text(120)),
  action,
});

const ledger = group({
  title: text(40),
  rows: list(group({ what: text(48), price: text(36) }), { of: 'rows', least: 1, most: 8 }),
  total: group({ what: text(48), price: text(36) }),
});

const stop = group({ when: text(16), what: text(80) });

const dialog = group({ title: text(60), text: text(160) });

const call = group({
  minutes: whole(5, 480),
  step: whole(5, 480),
  notice: duration(60),
  horizon: duration(180),
  gap: duration(1),
  // Links to meetings with their passwords are long.
  place: text(300),
  questions: list(text(120), { of: 'questions', least: 0, most: 6 }),
});

/** A group of words, none of which a document must say: each in up to `max` characters, with its places for values. */
const words = <Group extends keyof Words>(name: Group, max: number) =>
  group(
    Object.fromEntries(
      Object.entries<string>(en[name]).map(([key, text]) => [key, textLike(text, max)]),
    ) as { [Name in keyof Words[Group]]: ReturnType<typeof textLike> },
  )
    .partial()
    .optional();

/**
 * The type of the whole file. Empty lists say nothing about their type, so some fields have their own.
 * Groups with a default in `site.defaults.ts` may be missing, and words of the language.
 */
export type SiteDocument = Omit<
  typeof site,
  | 'seo'
  | 'calls'
  | 'testimonials'
  | 'paymentLinks'
  | 'currency'
  | 'optIn'
  | 'legal'
  | 'dialogs'
  | 'language'
> &
  Omit<ChangedWords, 'legal' | 'dialogs'> & {
    seo: SiteConfig['seo'];
    calls: Calls;
    testimonials: { title: string; quotes: Quote[] };
    paymentLinks: string[];
    currency?: string | undefined;
    language?: string | undefined;
    optIn?: { [Name in keyof OptIn]?: OptIn[Name] | undefined } | undefined;
    legal?:
      | ({ [Name in keyof Legal]?: Legal[Name] | undefined } & ChangedWords['legal'])
      | undefined;
    dialogs: typeof site.dialogs & ChangedWords['dialogs'];
  };

/** The schema of the whole file. */
export const siteSchema = (exists: Exists): z.ZodType<SiteDocument> =>
  group({
    brand: group({ name: text(32), tagline: text(90), email: email() }),
    seo: group({
      title: text(90),
      description: text(200),
      icon: photo('icon', exists).optional(),
    }),
    links: group({
      instagram: optionalLink(),
      linkedin: optionalLink(),
      quiz: link(),
      checkout: optionalLink(),
    }),
    paymentLinks: list(paymentLink(), { of: 'ids', least: 0, most: 50 }),
    currency: currency().optional(),
    language: language().optional(),
    schedulers: group({ strategyCall: optionalLink(), inboxReview: optionalLink() }),
    calls: group({
      timeZone: timeZone(),
      hours: group({
        monday: hours(),
        tuesday: hours(),
        wednesday: hours(),
        thursday: hours(),
        friday: hours(),
        saturday: hours(),
        sunday: hours(),
      }),
      special: hoursByDate(),
      closed: list(dates(), { of: 'dates', least: 0, most: 100 }),
      strategyCall: call,
      inboxReview: call,
    }),
    optInScript: script(exists),
    optIn: group({
      attributes: attributes('type'),
      hosts: list(host(), { of: 'addresses', least: 0, most: 20 }),
      place: attributes('class'),
    })
      .partial()
      .optional(),
    colours: group({
      lines: group({ management: bothModes, consulting: bothModes, infrastructure: bothModes }),
      primary: bothModes,
      primaryHover: bothModes,
    }),
    header: group({
      home: label,
      services: label,
      about: label,
      contact: label,
      start: text(20),
    }),
    hero: group({
      title: text(60),
      lead,
      action,
      link: action,
      picture: text(200),
      interchange: text(24),
      tracks: exactly(5, 'texts', text(12)),
      facts: exactly(3, 'facts', group({ figure: text(14), text: text(90) })),
    }),
    tagline: text(120),
    pains: group({
      title,
      cards: exactly(4, 'cards', group({ title: text(60), text: text(260), status: text(24) })),
      action,
    }),
    freedom: group({ title: text(110), action }),
    costs: group({ title, lists: exactly(2, 'lists', ledger), action }),
    testimonials: group({
      title,
      quotes: list(
        group({
          quote: text(360),
          name: text(48),
          role: text(80),
          photo: photo('face', exists),
        }),
        { of: 'quotes', least: 0, most: 7 },
      ),
    }),
    services: group({
      title,
      lead,
      management: service,
      consulting: service,
      infrastructure: service,
    }),
    about: group({
      title,
      name: text(48),
      text: list(text(480), { of: 'texts', least: 1, most: 6 }),
      action,
      photo: photo('portrait', exists),
      timetable: group({
        title: text(40),
        rows: list(stop, { of: 'rows', least: 1, most: 7 }),
        next: stop,
      }),
    }),
    steps: group({
      title,
      steps: exactly(4, 'steps', group({ title: text(36), text: text(200) })),
      action,
    }),
    faq: group({
      title,
      items: withOwnIds(
        list(group({ id: id(), question: text(120), answer: text(900) }), {
          of: 'questions',
          least: 1,
          most: 12,
        }),
      ),
      action,
    }),
    assessment: group({
      title,
      lead,
      promises: exactly(3, 'promises', group({ title: text(48), text: text(120) })),
      dial: exactly(3, 'words', text(14)),
      action,
      review: group({ text: text(120), action }),
      audit: action,
    }),
    footer: group({
      title,
      action,
      services: label,
      company: label,
      about: label,
      connect: label,
      instagram: label,
      linkedin: label,
      email: label,
      copyright: text(80),
    }),
    legal: group({
      imprint: label,
      privacy: label,
      name: text(80),
      address: list(text(80), { of: 'lines', least: 0, most: 8 }),
      phone: optionalText(40),
      register: optionalText(120),
      vatId: optionalText(40),
      responsible: optionalText(160),
      providers: list(text(240), { of: 'sentences', least: 0, most: 12 }),
    })
      .partial()
      .optional(),
    imprintPage: words('imprintPage', 160),
    privacyPage: words('privacyPage', 600),
    textFiles: words('textFiles', 60),
    contactFields: words('contactFields', 40),
    dialogs: group({
      strategyCall: dialog,
      inboxReview: dialog,
      newTab: text(48).optional(),
      orEmail: label.optional(),
      loading: text(48).optional(),
      late: text(160).optional(),
      contact: group({ title: text(60) }),
      quiz: group({ title: text(60), text: text(160), action }),
    }),
    offline: group({ calendar: text(160), form: text(160) })
      .partial()
      .optional(),
    labels: group({
      skip: text(40),
      mainMenu: label,
      menu: text(12),
      close: label,
      newTab: text(40),
    })
      .partial()
      .optional(),
    notFound: group({ title, text: text(160), home: action }),
    bookingPages: group({
      strategyCall: label,
      inboxReview: label,
      minutes: text(12),
      zone: label,
      changeZone: label,
      pickZone: label,
      showTimes: label,
      choose: label,
      firstFree: label,
      oneTime: text(12),
      manyTimes: text(12),
      later: label,
      earlier: label,
      none: lead,
      nearest: label,
      note: text(60),
      optional: text(16),
      book: label,
      promise: text(160),
      noTime: text(48),
      confirm: text(160),
      booked: text(48),
      cancelled: text(48),
      over: text(48),
      ownTime: label,
      addToCalendar: label,
      calendarFile: text(16),
      move: label,
      moveTo: label,
      cancel: label,
      keep: label,
      sentTo: text(60),
      notSent: text(160),
      again: label,
      questions: text(160),
      save: label,
      saved: text(60),
    })
      .partial()
      .optional(),
    errors: words('errors', 200),
    emails: words('emails', 120),
    contactPages: group({
      sentTitle: title,
      sent: lead,
      failedTitle: title,
      home: action,
      ...fieldsWith(label, label),
      send: label,
      sending: label,
      cancel: label,
      failed: text(160),
      required: unusedText(),
    })
      .partial()
      .optional(),
  });
