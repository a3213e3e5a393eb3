import { useState } from 'react';
import type { Inputs } from '../../server/contract/api.ts';
import type { RowsDialog } from './rows-dialog.tsx';

/** Of which moment the figures are: from when, until when, as the server answered. */
export interface TimeWindow {
  startDate: string;
  asOf: string;
}

/** A figure that somebody wants to see the rows of. */
export interface RowsQuery extends TimeWindow {
  /** What its rows are. */
  kind: NonNullable<Inputs['analytics']['rows']>['kind'];
  /** Its name and itself, as they stand on the card. */
  name: string;
  figure: string;
  /** How it comes about: touch screens show it here alone. */
  hint: string;
}

const load = () => import('./rows-dialog.tsx');

/** The list behind a figure: its code comes when somebody points at one, since few ever do. */
export function useRows() {
  const [shown, setShown] = useState<{ Dialog: typeof RowsDialog; asked: RowsQuery }>();
  const [hasFailed, setFailed] = useState(false);
  return {
    /** What is open, and what shows it. */
    shown,
    /** The code could not be fetched. */
    hasFailed,
    /** Somebody may be about to open one. */
    prepare: () => void load().catch(() => {}),
    open: (asked: RowsQuery) =>
      load().then(
        ({ RowsDialog }) => {
          setFailed(false);
          setShown({ Dialog: RowsDialog, asked });
        },
        () => setFailed(true),
      ),
    close: () => setShown(undefined),
  };
}
