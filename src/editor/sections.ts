/** The parts of the form, and the pages that show them. */
import { isWithin } from '../../server/contract/document-changes.ts';
import type { Fields } from './fields.ts';

export interface Section {
  /** Part of the address of the screen. */
  id: string;
  title: string;
  /** The groups and fields of the document that it shows. */
  paths: string[];
  /** Groups that are rarely changed are folded. */
  isFolded?: boolean;
}

const section = (id: string, title: string, paths = [id]): Section => ({ id, title, paths });

/** In the order of the landing page. */
export const pageSections = [
  section('header', 'Header'),
  section('hero', 'Hero'),
  section('tagline', 'Tagline'),
  section('pains', 'Pains'),
  section('freedom', 'Freedom banner'),
  section('costs', 'Costs'),
  section('testimonials', 'Testimonials'),
  section('services', 'Services'),
  section('about', 'About'),
  section('steps', 'How it works'),
  section('faq', 'FAQ'),
  section('assessment', 'Assessment'),
  section('footer', 'Footer'),
];

const everywhere = [
  section('brand', 'Name and links', ['brand', 'links', 'paymentLinks', 'currency', 'language']),
  section('calls', 'Hours and calls', ['calls', 'schedulers']),
  section('colours', 'Colours'),
  section('seo', 'Search and sharing'),
  section('legal', 'Legal'),
  section('optIn', 'Opt-in form', ['optInScript', 'optIn']),
  section('dialogs', 'Windows'),
];

/** What stands on every page, or on no page of its own; the last one has all groups that no other section shows. */
export function otherSections(fields: Fields): Section[] {
  const shown = [...pageSections, ...everywhere].flatMap(({ paths }) => paths);
  const rest = fields.partsOf('').flatMap(({ path }) => (shown.includes(path) ? [] : [path]));
  return [...everywhere, { ...section('small', 'Small words', rest), isFolded: true }];
}

/** Where a field stands in the form, such as `FAQ · Question 4, answer`. */
export function nameOf(
  path: string,
  { sections, fields }: { sections: readonly Section[]; fields: Fields },
): string {
  const section = sections.find(({ paths }) => isWithin(path, paths));
  return [section?.title, fields.labelBeneath(path)].filter(Boolean).join(' · ');
}

/** The pages that have a preview, by their name in its address. */
export const pages = {
  home: 'Home',
  'book-strategy-call': 'Booking: strategy call',
  'book-inbox-review': 'Booking: inbox review',
  booking: 'A booked call',
  'contact-sent': 'Message sent',
  'contact-failed': 'Message not sent',
  imprint: 'Imprint',
  privacy: 'Privacy',
  'not-found': 'Page not found',
} as const;

export type Page = keyof typeof pages;

const pageByGroup: Partial<Record<string, Page>> = {
  bookingPages: 'book-strategy-call',
  calls: 'book-strategy-call',
  contactPages: 'contact-failed',
  errors: 'contact-failed',
  imprintPage: 'imprint',
  legal: 'imprint',
  notFound: 'not-found',
  privacyPage: 'privacy',
};

/** The page that shows the field at a path. */
export const pageOf = (path: string): Page => pageByGroup[path.split('.')[0] ?? ''] ?? 'home';
