/**
 * The photo of a field. A chosen picture is uploaded at once, so that leaving the field loses nothing; its crop is
 * adjusted afterwards.
 */
import { useEffect, useRef, useState } from 'react';
import { isEqual, valueAt } from '../../server/contract/document-changes.ts';
import type { PhotoShape } from '../../server/contract/photos.ts';
import { HttpError } from '../api/http.ts';
import { useEditor } from './context.ts';
import { type Crop, type CropChange, changed, hasRoom, middle } from './photo-crop.ts';
import { loadPhoto, photoFiles, readPicture, uploadPhoto } from './photo-files.ts';

/** A picture as the owner chose it, with the part that the site takes. */
interface Source {
  file: File;
  crop: Crop;
}

/** What the files of each address were made from in this tab: another crop of it loses no quality. */
const sources = new Map<string, Source>();

export function usePhoto(path: string, { label, shape }: { label: string; shape: PhotoShape }) {
  const { draft, state, signedIn, warn } = useEditor();
  const address = String(valueAt(state.document, path) ?? '');
  /** The picture whose crop the owner adjusts; `isNew`: its first upload failed. */
  const [cropping, setCropping] = useState<Source & { picture: ImageBitmap; isNew: boolean }>();
  const [problem, setProblem] = useState<string>();
  const [status, setStatus] = useState('');
  const [isBusy, setIsBusy] = useState(false);
  const [hasFailed, setHasFailed] = useState(false);
  /** The number of the last act: an earlier one that ends later changes nothing. */
  const newest = useRef(0);
  const isShown = useRef(true);

  useEffect(() => {
    isShown.current = true;
    return () => {
      isShown.current = false;
    };
  }, []);
  const picture = cropping?.picture;
  useEffect(() => () => picture?.close(), [picture]);

  /** Shows what is under way; returns whether no other act has begun since. */
  const begin = (what: string) => {
    newest.current += 1;
    setStatus(what);
    setIsBusy(what !== '');
    setProblem(undefined);
    setHasFailed(false);
    const own = newest.current;
    return () => own === newest.current;
  };
  const end = (said = '') => {
    setStatus(said);
    setIsBusy(false);
  };
  const fail = (sentence: string) => {
    end();
    setProblem(sentence);
    if (!isShown.current) warn(`${label}: ${sentence}`);
  };

  /**
   * Makes and uploads the files of a picture, and puts their address into the draft. Resolves with whether it did.
   * `isNew`: another picture than before. `isAgain`: after a failure, so that it may ask for a sign-in; at first, the
   * dialog would take the keys of an owner who types by then.
   */
  const upload = async (
    source: Source,
    { isNew, isAgain }: { isNew: boolean; isAgain: boolean },
  ): Promise<boolean> => {
    const isNewest = begin('Preparing the photo …');
    const place = placeOf(path);
    const before = valueAt(draft.state().document, place);
    const read = await readPicture(source.file, shape);
    if (typeof read === 'string') {
      if (isNewest()) fail(read);
      return false;
    }
    addEventListener('beforeunload', askBeforeUnload);
    try {
      const files = await photoFiles({ picture: read, crop: source.crop, shape });
      const call = () =>
        uploadPhoto(files, (n) => {
          if (isNewest()) setStatus(`Uploading ${n} of ${files.length} …`);
        });
      const uploaded = await (isAgain ? signedIn(call) : call());
      read.close();
      if (!isNewest()) return false;
      // Its entry may have been moved or deleted with the controls.
      if (!isShown.current && !isEqual(valueAt(draft.state().document, place), before)) {
        fail('The photo was not used, since its entry has changed. Choose it again.');
        return false;
      }
      sources.set(uploaded, source);
      // Choosing a photo is a change of its own; adjusting its crop belongs to it.
      if (isNew) draft.endChange();
      draft.edit(path, uploaded);
      setCropping(undefined);
      end('The photo is in your draft.');
      return true;
    } catch (error) {
      if (!isNewest()) {
        read.close();
        return false;
      }
      fail(sentenceOf(error));
      setHasFailed(true);
      setCropping({ ...source, isNew, picture: read });
      return false;
    } finally {
      removeEventListener('beforeunload', askBeforeUnload);
    }
  };

  return {
    cropping,
    problem,
    /** What is under way, or was done last. */
    status,
    isBusy,
    /** Whether the last upload failed. */
    hasFailed,
    choose: (file: File) => {
      setCropping(undefined);
      return upload({ file, crop: middle }, { isNew: true, isAgain: false });
    },
    async startCrop() {
      const isNewest = begin('Loading the photo …');
      try {
        const source = sources.get(address) ?? { file: await loadPhoto(address), crop: middle };
        const read = await readPicture(source.file, shape);
        if (!isNewest()) return typeof read === 'string' ? undefined : read.close();
        if (typeof read === 'string') return fail(read);
        if (!hasRoom(read, shape)) {
          read.close();
          return fail(
            'This photo has no pixels left to crop. Choose the original, or a larger one.',
          );
        }
        end();
        setCropping({ ...source, isNew: false, picture: read });
      } catch (error) {
        if (isNewest()) fail(sentenceOf(error));
      }
    },
    /** Several moves of a pointer may come before the next rendering. */
    adjust: (change: CropChange) =>
      setCropping((now) => now && { ...now, crop: changed(now.picture, shape, now.crop, change) }),
    takeCrop: async () => {
      if (!cropping) return false;
      const { file, crop, isNew } = cropping;
      return upload({ file, crop }, { isNew, isAgain: hasFailed });
    },
    cancel() {
      begin('');
      setCropping(undefined);
    },
    remove() {
      begin('');
      draft.edit(path, '', { isWhole: true });
    },
  };
}

/** The list entry that a photo belongs to, or the photo itself. */
const placeOf = (path: string) => /^(.*\.\d+)\./.exec(path)?.[1] ?? path;

const askBeforeUnload = (event: BeforeUnloadEvent) => event.preventDefault();

/** What to tell the owner after a failed upload. */
function sentenceOf(error: unknown): string {
  if (!(error instanceof HttpError)) {
    return 'The photo did not reach the site. Please check your connection.';
  }
  if (error.status === 401) return 'You are signed out. Try again to sign in.';
  return error.sentence ?? 'The photo could not be stored. Please try again.';
}
