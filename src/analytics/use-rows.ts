import { useState } from 'react';
import type { Inputs } from '../../server/contract/api.ts';
import type { RowsDialog } from './rows-dialog.tsx';

/** Of which moment the figures are: from when, until when, as the server answered. */
export interface Span {
  startDate: string;
  asOf: string;
}

/** A figure that somebody wants to see the rows of. */
export interface Asked extends Span {
  /** What its rows are. */
  kind: NonNullable<Inputs['analytics']['rows']>['kind'];
  /** Its name and itself, as they stand on the card. */
  name: string;
  figure: string;
}

const load = () => import('./rows-dialog.tsx');

/** The list behind a figure: its code comes when somebody points at one, since few ever do. */
export function useRows() {
  const [asked, setAsked] = useState<Asked>();
  const [Dialog, setDialog] = useState<typeof RowsDialog>();
  const [hasFailed, setFailed] = useState(false);
  return {
    /** What is open, once there is something to show it with. */
    asked: Dialog && asked,
    Dialog,
    /** The code could not be fetched. */
    hasFailed,
    /** Somebody may be about to open one. */
    prepare: () => void load().catch(() => {}),
    async open(next: Asked) {
      setFailed(false);
      try {
        const module = await load();
        setDialog(() => module.RowsDialog);
        setAsked(next);
      } catch {
        setFailed(true);
      }
    },
    close: () => setAsked(undefined),
  };
}
