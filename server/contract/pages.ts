import type { site } from '../../site.config.ts';
import type { MadePhotos } from './photos.ts';

/** What the prerenderer is told about the browser's files: addresses as the page shall name them. */
export interface PageAssets {
  /** The one script a prerendered page runs by itself. */
  boot: string;
  /** By island: its entry first, then every file that entry imports. */
  islands: Record<string, string[]>;
  /** The owner's photos; none are made during development. */
  photos: MadePhotos;
  /** The picture beside a shared link. */
  sharePicture: string;
}

/** The whole documents of the site, by the name the server asks for them. */
export type PageName = 'home' | 'not-found' | 'contact-sent' | 'contact-failed' | 'app' | TextName;

/** Those that are for machines: they are named as their address at the root of the site is. */
export type TextName = 'robots.txt' | 'sitemap.xml' | 'llms.txt' | 'manifest.webmanifest';

/** The calendars of the booking dialogs, by their name in the owner's file. */
type CalendarName = keyof (typeof site)['schedulers'];

/** The slot of a document that has a value while that calendar cannot be shown in a frame. */
export type UnframedVariable = `${CalendarName}Unframed`;
