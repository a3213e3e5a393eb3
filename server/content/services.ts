import type { SiteConfig } from '../../site.defaults.ts';
import type { Group } from '../contract/document-changes.ts';
import type { Mistake } from './document.ts';
import type { PhotoStore, UploadedPhoto } from './photos.ts';
import type { ContentStore } from './store.ts';

/** What the procedures `site.*` use. */
export interface ContentServices {
  store: ContentStore;
  photos: PhotoStore;
  /** The config of `site.config.ts`, which the site shows until the first publish. */
  file: SiteConfig;
  /** Whether SITE_CONTENT pins the file. */
  isPinned: boolean;
  /** What keeps a document from being published, which names these uploaded photos. */
  mistakesIn(document: Group, photos: readonly UploadedPhoto[]): Mistake[];
  /** Makes the pages of a document in advance; rejects when it cannot be rendered. */
  prepare(document: Group): Promise<void>;
  /** Makes this instance show what is live; rejects when it cannot. */
  showLive(): Promise<void>;
}
