import { useSyncExternalStore } from 'react';
import { createPendingPhotos } from './pending-photos.ts';
import * as files from './photo-files.ts';

/** Those of this tab: they outlive the screen, which a Logout elsewhere replaces by the login screen. */
export const pendingPhotos = createPendingPhotos(files);

/** The photos that are not in the draft yet. */
export const usePendingPhotos = () =>
  useSyncExternalStore(pendingPhotos.subscribe, pendingPhotos.state);
