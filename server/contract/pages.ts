/** What the prerenderer is told about the browser's files: addresses as the page shall name them. */
export interface PageAssets {
  /** The one script a prerendered page runs by itself. */
  boot: string;
  /** By island: its entry first, then every file that entry imports. */
  islands: Record<string, string[]>;
}

/** The whole documents of the site, by the name the server asks for them. */
export type PageName = 'home' | 'not-found' | 'contact-sent' | 'contact-failed' | 'app';
