import type { site } from '../../site.config.ts';
import type { MadePhotos } from './photos.ts';

/** URLs of the built client files, as prerendered pages refer to them. */
export interface PageAssets {
  /** The only script that a prerendered page loads without user interaction. */
  boot: string;
  /** Files by island: its entry first, then every file that the entry imports. */
  islands: Record<string, string[]>;
  /** The owner's photos; empty during development. */
  photos: MadePhotos;
  /** The preview image of shared links (Open Graph). */
  sharePicture: string;
}

/** Names of the prerendered documents. */
export type PageName = 'home' | 'not-found' | 'contact-sent' | 'contact-failed' | 'app' | TextName;

/** Text files for crawlers and browsers, named by their path at the root of the site. */
export type TextName = 'robots.txt' | 'sitemap.xml' | 'llms.txt' | 'manifest.webmanifest';

/** The calendars of the booking dialogs, by their name in `site.config.ts`. */
type CalendarName = keyof (typeof site)['schedulers'];

/** The template variable that is set while that calendar cannot be shown in a frame. */
export type UnframedVariable = `${CalendarName}Unframed`;
