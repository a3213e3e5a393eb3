import { useState } from 'react';
import type { Inputs } from '../../server/contract/api.ts';
import type { RowsDialog } from './rows-dialog.tsx';

/** The window the server counted, as ISO timestamps. */
export interface TimeWindow {
  startDate: string;
  asOf: string;
}

/** Selects the rows of one figure. */
export interface RowsQuery extends TimeWindow {
  kind: NonNullable<Inputs['analytics']['rows']>['kind'];
  /** Name and value as shown on the card. */
  name: string;
  figure: string;
  /** Explains the figure. Touch screens show it in the dialog only. */
  hint: string;
}

const load = () => import('./rows-dialog.tsx');

/** Opens the dialog with the rows of a figure. Loads its code on demand. */
export function useRows() {
  const [shown, setShown] = useState<{ Dialog: typeof RowsDialog; query: RowsQuery }>();
  const [hasFailed, setFailed] = useState(false);
  return {
    /** The open dialog and its query. */
    shown,
    /** True when the dialog's code could not be loaded. */
    hasFailed,
    /** Loads the dialog's code ahead. */
    preload: () => void load().catch(() => {}),
    open: (query: RowsQuery) =>
      load().then(
        ({ RowsDialog }) => {
          setFailed(false);
          setShown({ Dialog: RowsDialog, query });
        },
        () => setFailed(true),
      ),
    close: () => setShown(undefined),
  };
}
