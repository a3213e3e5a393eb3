/** Stores the photos that the owner uploads, each in several sizes. The document names the largest one. */
import { createHash } from 'node:crypto';
import type { SiteConfig } from '../../site.defaults.ts';
import { type MadePhoto, type PhotoUse, photoShapes, smallSentence } from '../contract/photos.ts';
import { columns } from '../database/columns.ts';
import { all, type Database, get, run, type Statements } from '../database/database.ts';
import { text } from '../database/schema.ts';
import { jsonRows, sql } from '../database/sql.ts';
import { type PictureHeader, readPictureHeader } from './picture-header.ts';

/** A stored file of a photo. */
interface PhotoFile extends PictureHeader {
  address: string;
}

/** A photo that a document names, with its files in ascending width, itself among them. */
export interface UploadedPhoto extends PhotoFile {
  files: PhotoFile[];
}

const addressPattern = /\/photos\/([0-9a-f]{32})\.(?:jpg|png|webp)/g;

const addressOf = ({ hash, type }: { hash: string; type: string }) => `/photos/${hash}.${type}`;

/** The hash in an address such as `/photos/<hash>.jpg`; undefined for another path. */
const hashIn = (address: string): string | undefined => {
  const [[found, hash] = []] = address.matchAll(addressPattern);
  return found === address ? hash : undefined;
};

const hashOf = (bytes: Buffer) => createHash('sha256').update(bytes).digest('hex').slice(0, 32);

/** The addresses of uploaded photos in a document. */
export const uploadsIn = (document: object): string[] => [
  ...new Set([...JSON.stringify(document).matchAll(addressPattern)].map(([address]) => address)),
];

const selectFiles = sql`SELECT ${columns('site_photo', 'hash', 'type', 'width', 'height')}
  FROM site_photo WHERE photo = ? ORDER BY width, type`;
const selectBytes = sql`SELECT ${columns('site_photo', 'type', 'bytes')} FROM site_photo
  WHERE hash = ? LIMIT 1`;
const insert = `INSERT INTO site_photo (hash, photo, type, width, height, added_at, bytes)
  VALUES (?, ?, ?, ?, ?, ?, ?)
  ON CONFLICT (hash, photo) DO UPDATE SET added_at = excluded.added_at`;
const isNamed = {
  sqlite: 'instr(document, site_photo.photo) > 0',
  postgres: 'strpos(document, site_photo.photo) > 0',
};
const deleteUnused = sql`DELETE FROM site_photo
  WHERE added_at < ?
    AND photo NOT IN (SELECT hash FROM ${jsonRows({ hash: text })} AS kept)
    AND NOT EXISTS (SELECT 1 FROM site_version WHERE ${isNamed})
    AND NOT EXISTS (SELECT 1 FROM site_draft WHERE ${isNamed})`;

/** The uploaded photos that a document names, as far as they are stored. */
export function* photosIn(document: object): Statements<UploadedPhoto[]> {
  const photos: UploadedPhoto[] = [];
  for (const address of uploadsIn(document)) {
    const photo = yield* photoAt(address);
    if (photo) photos.push(photo);
  }
  return photos;
}

function* photoAt(address: string): Statements<UploadedPhoto | undefined> {
  const rows = yield* all(selectFiles, [hashIn(address) ?? '']);
  const files = rows.map(({ hash, ...header }) => ({
    ...header,
    address: addressOf({ hash, type: header.type }),
  }));
  const largest = files.find((file) => file.address === address);
  return largest && { ...largest, files };
}

export type PhotoStore = ReturnType<typeof createPhotoStore>;

export function createPhotoStore(database: Database) {
  return {
    /**
     * Stores a photo, or with `of` a smaller size of the photo at that address. Returns its address; or `'unreadable'`
     * unless it is a JPEG, PNG or WebP file, or `'unfit'` unless it is a size of a photo that is stored.
     */
    async add({
      bytes,
      of,
      now,
    }: {
      bytes: Buffer;
      of?: string | undefined;
      now: number;
    }): Promise<{ address: string } | 'unreadable' | 'unfit'> {
      const header = readPictureHeader(bytes);
      if (!header) return 'unreadable';
      const { type, width, height } = header;
      const hash = hashOf(bytes);
      return database.write(function* () {
        const photo = of === undefined ? undefined : yield* photoAt(of);
        const isFit = photo && width <= photo.width && hasRatio(header, photo);
        if (of !== undefined && !isFit) return 'unfit';
        const largest = photo && hashIn(photo.address);
        yield* run(insert, [hash, largest ?? hash, type, width, height, now, bytes]);
        return { address: addressOf({ hash, type }) };
      });
    },

    /** The bytes at an address; undefined when no photo is there. */
    async read(address: string): Promise<Buffer | undefined> {
      const hash = hashIn(address);
      if (hash === undefined) return undefined;
      const row = await database.read(() => get(selectBytes, [hash]));
      return row && addressOf({ hash, type: row.type }) === address
        ? Buffer.from(row.bytes)
        : undefined;
    },

    /** The uploaded photos that a document names, as far as they are stored. */
    photosIn: (document: object): Promise<UploadedPhoto[]> =>
      database.read(() => photosIn(document)),

    /** Deletes photos uploaded before a time that no version, no draft and not `file` names; returns how many files. */
    deleteUnused: ({ before, file }: { before: number; file: SiteConfig }): Promise<number> => {
      const kept = JSON.stringify(uploadsIn(file).map((address) => [hashIn(address)]));
      return database.write(() => run(deleteUnused, [before, kept]));
    },
  };
}

/** Whether a size has the ratio of another one, but for rounded pixels. */
const hasRatio = (
  { width, height }: { width: number; height: number },
  other: { width: number; height: number },
) => Math.abs(height - (width * other.height) / other.width) <= 1;

/** Whether a photo is fit for a use; a sentence of the form says why it is not. */
export function isFitFor(photo: UploadedPhoto, use: PhotoUse): true | string {
  const shape = photoShapes[use];
  if (hasRatio(photo, shape)) return smallSentence(photo, shape) ?? true;
  return 'This photo has another shape. Please choose it again, and crop it.';
}

const mediaTypes = { jpg: 'image/jpeg', png: 'image/png', webp: 'image/webp' };

/** The photos as pages show them, by their addresses. */
export function madePhotos(photos: readonly UploadedPhoto[]): Record<string, MadePhoto> {
  return Object.fromEntries(
    photos.map(({ address, type, files }) => {
      const sources = (['webp', 'png', 'jpg'] as const).map((one) => ({
        type: mediaTypes[one],
        files: files.filter((file) => file.type === one),
      }));
      return [
        address,
        {
          src: address,
          sources: sources
            // The fallback alone needs no source of its own.
            .filter(({ files }) => files.length > 1 || (files[0] && files[0].type !== type))
            .map(({ type, files }) => ({
              type,
              srcSet: files.map((file) => `${file.address} ${file.width}w`).join(', '),
            })),
        },
      ];
    }),
  );
}
