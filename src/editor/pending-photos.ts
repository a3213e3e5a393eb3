/**
 * The photos that the owner has chosen and that are not in the draft yet: read, cropped, uploaded, or failed. They belong
 * to no mounted field, so that none is lost when the owner goes on elsewhere or has to sign in again.
 */
import { type Group, isEqual, valueAt } from '../../server/contract/document-changes.ts';
import type { PhotoShape } from '../../server/contract/photos.ts';
import { HttpError } from '../api/http.ts';
import type { Draft } from './draft.ts';
import { pathAfter } from './entry-keys.ts';
import { type Crop, type CropChange, changed, hasRoom, middle } from './photo-crop.ts';

/** What makes and uploads the files of a photo. */
export type PhotoFiles = Pick<
  typeof import('./photo-files.ts'),
  'loadPhoto' | 'photoFiles' | 'readPicture' | 'uploadPhoto'
>;

/** Repeats a call after a sign-in, where the session has ended. */
type SignedIn = <Result>(call: () => Promise<Result>) => Promise<Result>;

interface Source {
  file: File;
  crop: Crop;
}

export interface PendingPhoto {
  /** Where it stands in the document; follows an entry that is moved. */
  path: string;
  shape: PhotoShape;
  /** `cropping`: the owner may adjust its crop. `done`: it is in the draft, which its field says until it is left. */
  phase: 'loading' | 'cropping' | 'uploading' | 'failed' | 'done';
  /** What is under way, or was done. */
  status: string;
  /** What failed, and what to do. */
  problem: string | undefined;
  /** Undefined until its file is loaded. */
  source: Source | undefined;
  /** Undefined until it is decoded. */
  picture: ImageBitmap | undefined;
  /** Whether the crop is shown, which it is not while a chosen file is uploaded for the first time. */
  isCropShown: boolean;
  /** Whether it is another picture than before. */
  isNew: boolean;
  /** Whether the owner has changed the crop. */
  isAdjusted: boolean;
  /** Whether its field was closed since, so that what fails has to be said elsewhere. */
  wasLeft: boolean;
}

/** A photo with what only the store uses. */
interface Tracked extends PendingPhoto {
  /** The document in which it stood at its path. */
  document: Group | undefined;
  /** Whether its entry was deleted since. It comes back with its entry. */
  isGone: boolean;
  /** The value of its field when the owner chose it, and its own address once it is in the draft. */
  replaces: unknown;
  /** Whether it failed since the session had ended. */
  isSignedOut: boolean;
}

/** Whether the owner would lose something with it. */
export const isUnsaved = ({ phase, picture, isAdjusted }: PendingPhoto): boolean =>
  phase === 'uploading' ||
  (phase === 'cropping' && isAdjusted) ||
  (phase === 'failed' && picture !== undefined);

const askBeforeUnload = (event: BeforeUnloadEvent) => event.preventDefault();

export function createPendingPhotos(files: PhotoFiles) {
  const listeners = new Set<() => void>();
  /** What the files of each address were made from: another crop of it loses no quality. */
  const sources = new Map<string, Source>();
  let photos: Tracked[] = [];
  let state: readonly PendingPhoto[] = [];
  let draft: Draft | undefined;

  const show = () => {
    state = photos.filter(({ isGone }) => !isGone).map((photo) => ({ ...photo }));
    if (state.some(isUnsaved)) addEventListener('beforeunload', askBeforeUnload);
    else removeEventListener('beforeunload', askBeforeUnload);
    for (const listener of listeners) listener();
  };
  const update = (photo: Tracked, changes: Partial<Tracked>) => {
    Object.assign(photo, changes);
    show();
  };
  const photoAt = (path: string) => photos.find((one) => !one.isGone && one.path === path);
  /** Whether no other act has taken its place. */
  const isPending = (photo: Tracked) => photos.includes(photo);
  const currentAt = (path: string) => valueAt(draft?.state().document, path);

  const cancel = (path: string) => {
    const photo = photoAt(path);
    if (!photo) return;
    photo.picture?.close();
    photos = photos.filter((one) => one !== photo);
    show();
  };
  const begin = (
    path: string,
    first: Pick<Tracked, 'shape' | 'phase' | 'status' | 'source' | 'isNew'>,
  ): Tracked => {
    cancel(path);
    const photo: Tracked = {
      ...first,
      ...{ path, replaces: currentAt(path), document: draft?.state().document },
      ...{ isGone: false, isCropShown: false, isAdjusted: false, isSignedOut: false },
      wasLeft: false,
      ...{ problem: undefined, picture: undefined },
    };
    photos = [...photos, photo];
    show();
    return photo;
  };
  const fail = (photo: Tracked, error: unknown) =>
    update(photo, {
      ...{ phase: 'failed', status: '', isCropShown: photo.picture !== undefined },
      isSignedOut: error instanceof HttpError && error.status === 401,
      problem: typeof error === 'string' ? error : sentenceOf(error),
    });

  /** Decodes its file, unless that was done. Resolves with whether it is to be used. */
  const read = async (photo: Tracked, { file }: Source): Promise<boolean> => {
    if (photo.picture) return true;
    const picture = await files.readPicture(file, photo.shape);
    if (typeof picture === 'string') {
      if (isPending(photo)) fail(photo, picture);
      return false;
    }
    if (!isPending(photo)) {
      picture.close();
      return false;
    }
    photo.picture = picture;
    return true;
  };

  /** Makes and uploads its files, and puts their address into the draft. */
  const upload = async (photo: Tracked, signedIn: SignedIn = (call) => call()) => {
    const { source, shape } = photo;
    if (!source) return;
    update(photo, { phase: 'uploading', status: 'Preparing the photo …', problem: undefined });
    try {
      if (!(await read(photo, source)) || !photo.picture) return;
      const { crop } = source;
      const made = await files.photoFiles({ picture: photo.picture, crop, shape });
      const address = await signedIn(() =>
        files.uploadPhoto(made, (n) => {
          if (isPending(photo)) update(photo, { status: `Uploading ${n} of ${made.length} …` });
        }),
      );
      if (isPending(photo)) use(photo, source, address);
    } catch (error) {
      if (isPending(photo)) fail(photo, error);
    }
  };

  const use = (photo: Tracked, source: Source, address: string) => {
    sources.set(address, source);
    // What a closed screen could not save is gone from its draft, and so is what it moved.
    follow();
    if (photo.isGone || !isEqual(currentAt(photo.path), photo.replaces)) {
      fail(photo, 'The photo here was changed meanwhile. Try again to use yours.');
      return;
    }
    // Choosing a photo is a change of its own; adjusting its crop belongs to it.
    if (photo.isNew) draft?.endChange();
    draft?.edit(photo.path, address);
    photo.picture?.close();
    update(photo, {
      ...{ phase: 'done', status: 'The photo is in your draft.' },
      ...{ picture: undefined, isCropShown: false, replaces: address },
    });
  };

  const follow = () => {
    const document = draft?.state().document;
    if (photos.every((photo) => photo.document === document)) return;
    for (const photo of photos) {
      // An entry that has come back is the same as before; another one may stand at its place.
      const options = { areEdited: !photo.isGone };
      const path = pathAfter(photo.path, [photo.document, document], options);
      if (path === undefined) photo.isGone = true;
      else Object.assign(photo, { path, document, isGone: false });
    }
    // Undo, for example, takes it out of the draft.
    photos = photos.filter(
      ({ phase, path, replaces }) => phase !== 'done' || isEqual(currentAt(path), replaces),
    );
    show();
  };

  /** Uploads what failed since the session had ended. */
  const onSignedIn = () => {
    for (const photo of photos) {
      if (photo.phase === 'failed' && photo.isSignedOut) void upload(photo);
    }
  };

  return {
    subscribe(listener: () => void) {
      listeners.add(listener);
      return () => void listeners.delete(listener);
    },
    state: () => state,
    /** The editor opens, with this draft. Returns the function to call when it closes: uploads go on. */
    open(next: Draft) {
      draft = next;
      follow();
      // After a sign-in, among others.
      onSignedIn();
      return next.subscribe(follow);
    },
    onSignedIn,
    /** Uploads a file at once, so that leaving the field loses nothing; its crop is adjusted afterwards. */
    choose(path: string, { file, shape }: { file: File; shape: PhotoShape }) {
      const source = { file, crop: middle };
      const status = 'Preparing the photo …';
      return upload(begin(path, { phase: 'uploading', status, shape, source, isNew: true }));
    },
    /** Loads the photo of a field, to crop it once more. */
    async startCrop(path: string, shape: PhotoShape) {
      const status = 'Loading the photo …';
      const source = sources.get(String(currentAt(path)));
      const photo = begin(path, { phase: 'loading', status, shape, source, isNew: false });
      try {
        photo.source ??= { file: await files.loadPhoto(String(photo.replaces)), crop: middle };
        if (!(await read(photo, photo.source)) || !photo.picture) return;
        if (hasRoom(photo.picture, shape)) {
          update(photo, { phase: 'cropping', status: '', isCropShown: true });
          return;
        }
        photo.picture.close();
        photo.picture = undefined;
        fail(photo, 'This photo has no pixels left to crop. Choose the original, or a larger one.');
      } catch (error) {
        if (isPending(photo)) fail(photo, error);
      }
    },
    /** Several moves of a pointer may come before the next rendering. */
    adjust(path: string, change: CropChange) {
      const photo = photoAt(path);
      if (!photo?.picture || !photo.source || photo.phase === 'uploading') return;
      const crop = changed(photo.picture, photo.shape, photo.source.crop, change);
      update(photo, { source: { ...photo.source, crop }, isAdjusted: true });
    },
    /** Uploads the crop that is shown, also again after a failure. */
    async takeCrop(path: string, signedIn: SignedIn) {
      const photo = photoAt(path);
      if (!photo || photo.phase === 'uploading') return;
      if (photo.phase !== 'failed') return upload(photo);
      photo.replaces = currentAt(path);
      return upload(photo, signedIn);
    },
    cancel,
    /** The field is closed. What is unsaved stays. */
    leave(path: string) {
      const photo = photoAt(path);
      if (photo && isUnsaved(photo)) update(photo, { wasLeft: true });
      else cancel(path);
    },
  };
}

/** What to tell the owner after a failed upload. */
function sentenceOf(error: unknown): string {
  if (!(error instanceof HttpError)) {
    return 'The photo did not reach the site. Please check your connection.';
  }
  if (error.status === 401) return 'You are signed out. Try again to sign in.';
  return error.sentence ?? 'The photo could not be stored. Please try again.';
}
