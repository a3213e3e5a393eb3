/** The photos that wait for the draft, against the real draft. The browser's pictures and the upload are fakes. */
import { afterEach, beforeEach, expect, test } from 'vitest';
import { siteFields } from '../../server/content/fields.ts';
import { type Group, valueAt, withValue } from '../../server/contract/document-changes.ts';
import { photoShapes } from '../../server/contract/photos.ts';
import { documentWith } from '../../server/testing/document-edits.ts';
import { HttpError } from '../api/http.ts';
import { createDraft, type Draft, type DraftServer } from './draft.ts';
import { type Field, indexFields } from './fields.ts';
import { insertedAt, removedAt } from './lists.ts';
import { createPendingPhotos, isUnsaved, type PhotoFiles } from './pending-photos.ts';

const { shape: document } = indexFields(siteFields({}) as Field[]);
const sample = documentWith();
const shape = photoShapes.face;
const me = new File(['me'], 'me.jpg');
const quotes = 'testimonials.quotes';
const sampleQuotes = valueAt(sample, quotes) as Group[];
const path = `${quotes}.1.photo`;
const photo = '/photos/1.jpg';

let draft: Draft;
const openDraft = (
  saved: Group = sample,
  save: DraftServer['save'] = async () => ({ revision: 2, mistakes: [], conflicts: [] }),
) =>
  createDraft(
    {
      ...{ document: saved, revision: 1, live: null, changes: [], mistakes: [], file: null },
      isReadOnly: false,
    },
    {
      shape: document,
      server: {
        load: () => Promise.reject(new Error('is not loaded again')),
        save,
        refusalsIn: () => [],
        problemOf: () => ({ sentence: 'No connection.' }),
      },
    },
  );

let photos: ReturnType<typeof createPendingPhotos>;
/** Ends the upload that began first and is not ended, with its address or an error. */
let end: (result: string | Error) => Promise<void>;
let isRead: Promise<unknown>;

beforeEach(() => {
  localStorage.clear();
  const uploads: ((result: string | Error) => void)[] = [];
  isRead = Promise.resolve();
  const picture = { width: 600, height: 600, close: () => {} };
  const files: PhotoFiles = {
    async readPicture({ name }) {
      await isRead;
      return name.endsWith('.jpg') ? (picture as ImageBitmap) : 'It cannot be read here.';
    },
    loadPhoto: async () => me,
    photoFiles: async () => [new Blob(), new Blob()],
    uploadPhoto: (_, onFile) => {
      onFile(1);
      return new Promise((resolve, reject) =>
        uploads.push((result) => (typeof result === 'string' ? resolve(result) : reject(result))),
      );
    },
  };
  end = async (result) => {
    await expect.poll(() => uploads.length).toBeGreaterThan(0);
    uploads.shift()?.(result);
    await new Promise((resolve) => setTimeout(resolve));
  };
  photos = createPendingPhotos(files);
  draft = openDraft();
  photos.open(draft);
});
afterEach(() => {
  for (const one of photos.state()) photos.cancel(one.path);
});

const at = (place: string) => valueAt(draft.state().document, place);
const quotesNow = () => at(quotes) as Group[];
const choose = (place = path, file = me) => void photos.choose(place, { file, shape });
const only = () => {
  const [one, ...others] = photos.state();
  if (!one || others.length > 0) throw new Error('There is not one photo.');
  return one;
};
const asksBeforeUnload = () => {
  const event = new Event('beforeunload', { cancelable: true });
  dispatchEvent(event);
  return event.defaultPrevented;
};
const isUploading = () => expect.poll(() => only().status).toBe('Uploading 1 of 2 …');
const signedOut = new HttpError(401, 'Unauthorized', '');
const unasked = <Result>(call: () => Promise<Result>) => call();

test('a photo is used when another field of its entry was edited meanwhile', async () => {
  choose();
  draft.edit(`${quotes}.1.name`, 'Ada Lovelace');
  await end(photo);
  expect(at(path)).toBe(photo);
  expect(at(`${quotes}.1.name`)).toBe('Ada Lovelace');
});

test('a photo follows its entry when that is moved and edited meanwhile', async () => {
  choose();
  const list = quotesNow();
  draft.edit(quotes, insertedAt(removedAt(list, 1), 0, list[1]), { isWhole: true });
  draft.edit(`${quotes}.0.name`, 'Ada Lovelace');
  expect(only().path).toBe(`${quotes}.0.photo`);
  await end(photo);
  expect(at(`${quotes}.0`)).toMatchObject({ photo, name: 'Ada Lovelace' });
  expect(at(path)).toBe(list[0]?.photo);
});

test('a photo of a deleted entry is given to no other entry, and is offered again with its own', async () => {
  choose();
  const list = quotesNow();
  const left = removedAt(list, 1);
  draft.edit(quotes, left, { isWhole: true });
  expect(photos.state()).toEqual([]);
  draft.edit(quotes, insertedAt(left, 1, { ...list[1], name: 'Another' }), { isWhole: true });
  await end(photo);
  expect(photos.state()).toEqual([]);
  draft.edit(quotes, insertedAt(quotesNow(), 2, list[1]), { isWhole: true });
  expect(only()).toMatchObject({ phase: 'failed', path: `${quotes}.2.photo` });
  void photos.takeCrop(`${quotes}.2.photo`, unasked);
  await end(photo);
  expect(quotesNow().map((quote) => quote.photo === photo)).toEqual(
    quotesNow().map((_, i) => i === 2),
  );
});

test('a photo does not replace one that was chosen in another tab meanwhile, until the owner says so', async () => {
  choose();
  draft.edit(path, '/photos/2.jpg', { isWhole: true });
  await end(photo);
  expect(at(path)).toBe('/photos/2.jpg');
  expect(only().problem).toBe('The photo here was changed meanwhile. Try again to use yours.');
  void photos.takeCrop(path, unasked);
  await end(photo);
  expect(at(path)).toBe(photo);
});

test('leaving the site asks from the choice of a file until the last upload has ended', async () => {
  let read = (_?: unknown) => {};
  isRead = new Promise((resolve) => {
    read = resolve;
  });
  expect(asksBeforeUnload()).toBe(false);
  choose();
  choose('about.photo');
  expect(asksBeforeUnload()).toBe(true);
  read();
  await end(photo);
  expect(photos.state().map(({ phase }) => phase)).toEqual(['done', 'uploading']);
  expect(asksBeforeUnload()).toBe(true);
  await end(photo);
  expect(asksBeforeUnload()).toBe(false);
});

test('a cancelled or replaced upload changes nothing when it ends', async () => {
  choose();
  await isUploading();
  photos.cancel(path);
  await end(photo);
  expect(at(path)).toBe(valueAt(sample, path));
  choose();
  await isUploading();
  choose();
  await isUploading();
  await end('/photos/2.jpg');
  expect(at(path)).toBe(valueAt(sample, path));
  await end(photo);
  expect(at(path)).toBe(photo);
});

test('a photo that fails since the session has ended is uploaded again after the sign-in', async () => {
  choose();
  await end(signedOut);
  photos.leave(path);
  expect(only()).toMatchObject({
    ...{ phase: 'failed', isCropShown: true },
    problem: 'You are signed out. Try again to sign in.',
  });
  expect(asksBeforeUnload()).toBe(true);
  // Over the form.
  photos.onSignedIn();
  await end(signedOut);
  // On the login screen, which replaces the editor: it opens with another draft.
  draft = openDraft();
  photos.open(draft);
  await end(photo);
  expect(at(path)).toBe(photo);
});

test('an adjusted crop stays when its field is left, and one that is as it was does not', async () => {
  draft.edit(path, photo, { isWhole: true });
  await photos.startCrop(path, shape);
  expect(only()).toMatchObject({ phase: 'cropping', isCropShown: true });
  photos.leave(path);
  expect(photos.state()).toEqual([]);
  await photos.startCrop(path, shape);
  expect(asksBeforeUnload()).toBe(false);
  photos.adjust(path, { zoom: 2 });
  photos.leave(path);
  expect(only().source?.crop.zoom).toBe(2);
  expect(isUnsaved(only())).toBe(true);
  expect(asksBeforeUnload()).toBe(true);
  void photos.takeCrop(path, unasked);
  await end('/photos/2.jpg');
  expect(at(path)).toBe('/photos/2.jpg');
  expect(asksBeforeUnload()).toBe(false);
});

test('a file that cannot be read is named until its field is left, and is no unsaved photo', async () => {
  choose(path, new File([''], 'me.heic'));
  // Too early to have read it.
  photos.leave(path);
  await expect.poll(() => only().problem).toBe('It cannot be read here.');
  expect(only().wasLeft).toBe(true);
  expect(asksBeforeUnload()).toBe(false);
  photos.leave(path);
  expect(photos.state()).toEqual([]);
});

test('a photo that is no longer in the draft is not said to be there', async () => {
  choose();
  await end(photo);
  expect(only().status).toBe('The photo is in your draft.');
  draft.edit(`${quotes}.1.name`, 'Ada Lovelace');
  expect(only().phase).toBe('done');
  draft.undo();
  draft.undo();
  expect(at(path)).toBe(valueAt(sample, path));
  expect(photos.state()).toEqual([]);
});

test('a photo that is uploaded after the screen closed is given to the entry that was moved, unsaved', async () => {
  const without = sampleQuotes.map((quote) => ({ ...quote, photo: '' }));
  draft = openDraft(withValue(sample, quotes, without), () => Promise.reject(new Error('offline')));
  const close = photos.open(draft);
  void draft.start();
  draft.edit(quotes, [without[1], without[0], without[2]], { isWhole: true });
  choose(`${quotes}.0.photo`);
  await isUploading();
  close();
  draft.stop();
  await expect.poll(quotesNow).toEqual(without);
  await end(photo);
  const stored = Object.values(localStorage).map((text) => JSON.parse(text).document);
  const named = (one: Group) => (valueAt(one, quotes) as Group[]).find((q) => q.photo === photo);
  expect(stored.map(named)).toEqual([undefined, { ...without[1], photo }]);
});
