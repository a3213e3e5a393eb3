/**
 * The variables of the page templates: a page refers to them by `templateOf` (`src/ui/template.tsx`), the
 * server fills them in. A list repeats its section, whose variables are those of its entries.
 */
import type { FieldName } from './contact-fields.ts';

/** The pages that the build renders, by name, each with its variables beside those of the site. */
export interface PageVariables {
  home: NoVariables;
  imprint: NoVariables;
  privacy: NoVariables;
  'not-found': NoVariables;
  'contact-sent': NoVariables;
  'contact-failed': ContactFailedVariables;
  'book-strategy-call': BookVariables;
  'book-inbox-review': BookVariables;
  booking: BookedVariables;
}

/** Where scripts import the owner's texts from. The import map of a page leads to the texts of its own version. */
export const wordsUrl = '/words.js';

/** Text files for crawlers and browsers, named by their path at the root of the site. */
export type TextName = 'robots.txt' | 'sitemap.xml' | 'llms.txt' | 'manifest.webmanifest';

/** The documents that the build renders. */
export type DocumentName = keyof PageVariables | TextName;

/** The site as rendered from a config. */
export interface RenderedSite {
  documents: Record<DocumentName | 'app', string>;
  /** Files that the documents refer to, by their address. */
  files: Record<string, string>;
  /** What each picture is drawn from, by its address: pictures of one source are equal. */
  pictures: Record<string, string>;
}

/** The global variable from which the renderer's bundle takes the config. */
export const configVariable = 'shingleConfig';

/** The settings, and the origin at which the visitor requested the site; a page with a form has no origin. */
export type SiteVariables = SettingsVariables & { origin: string };

/** A retention period is like `60 days`, or undefined where data is kept until the owner deletes it. */
export type SettingsVariables = {
  keepActivity: string | undefined;
  keepMessages: string | undefined;
  keepBookings: string | undefined;
  keepBuyers: string | undefined;
  keepSpam: string | undefined;
  keepSignIns: string | undefined;
  keepBackups: string | undefined;
  sendsEmail: boolean;
  storesSales: boolean;
  sharesLimits: boolean;
  sendsEvents: boolean;
  calendlyWebhook: 'calendly' | undefined;
  calWebhook: 'cal' | undefined;
};

type NoVariables = Record<string, never>;

/** What went wrong, and what the visitor typed. */
export type ContactFailedVariables = { error: string } & Record<FieldName, string>;

/** What every page of the scheduler shows. */
export type SchedulerVariables = {
  /** Whether the page is shown in the frame of a dialog, which has a header of its own. */
  isFramed: boolean;
  error: string | undefined;
};

/** The free times of a call as seen from a time zone, and the links to others. */
export type FreeTimesVariables = {
  /** Where the form with the chosen time is sent. */
  action: string;
  hasDays: boolean;
  days: { day: string; count: string; isOpen: boolean; slots: SlotVariables[] }[];
  minutes: string;
  zoneName: string;
  zoneLink: string;
  firstFree: string;
  firstLink: string;
  laterLink: string;
  hasZones: boolean;
  zones: { zone: string; isChosen: boolean }[];
  hasNearest: boolean;
  nearest: SlotVariables[];
};

/** `start` is ISO 8601; `name` is the date and time in words. */
type SlotVariables = { start: string; time: string; name: string; isChosen: boolean };

/** The page of free times with its form; after an error that leaves neither, only the error. */
export type BookVariables = SchedulerVariables & AllOrNone<FreeTimesVariables & BookFormVariables>;

type BookFormVariables = {
  asksZone: 'yes' | '';
  name: string;
  email: string;
  note: string;
  search: string;
  referrer: string;
  button: string;
  stamp: string;
  timeZone: string;
  confirmed: 'yes' | '';
};

/** The page of a booking, with the free times while the visitor moves it. */
export type BookedVariables = SchedulerVariables &
  AllOrNone<FreeTimesVariables> & {
    headline: string;
    isUpcoming: boolean;
    isMoving: boolean;
    date: string;
    times: string;
    /** The time by the clock of the owner; empty where it is the same. */
    ownTimes: string;
    place: string;
    /** The address that the place is; undefined where it is none. */
    placeLink: string | undefined;
    googleLink: string;
    outlookLink: string;
    icsLink: string;
    moveLink: string;
    bookLink: string;
    self: string;
    email: string;
    isMailed: boolean;
    hasQuestions: boolean;
    isSaved: boolean;
    questions: { question: string; field: string; answer: string }[];
  };

/** Either all of `Variables` or none of them. */
type AllOrNone<Variables> = Variables | { [Name in keyof Variables]?: undefined };
