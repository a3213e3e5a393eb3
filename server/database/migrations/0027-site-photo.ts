import { sql } from '../sql.ts';
import { blob, integer, type Migration, strict, text } from './migration.ts';

/** The photos that the owner has uploaded for the site. */
export const sitePhoto: Migration = {
  version: 27,
  alsoFor: 23,
  sql: sql`
    CREATE TABLE site_photo (
      -- Of the bytes: 32 hex digits of SHA-256.
      hash ${text} NOT NULL,
      -- The hash of the photo that this is a size of: its own in the row of the largest one, which the document names.
      photo ${text} NOT NULL,
      -- 'jpg', 'png' or 'webp'.
      type ${text} NOT NULL,
      -- In pixels.
      width ${integer} NOT NULL,
      height ${integer} NOT NULL,
      -- When it was uploaded last.
      added_at ${integer} NOT NULL,
      bytes ${blob} NOT NULL,
      PRIMARY KEY (hash, photo)
    ) ${strict};
  `,
};
