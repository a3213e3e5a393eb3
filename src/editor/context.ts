import { createContext, useContext } from 'react';
import type { Draft, DraftState } from './draft.ts';
import type { Fields } from './fields.ts';

/** What every part of the editor uses. */
export interface Editor {
  draft: Draft;
  state: DraftState;
  fields: Fields;
  /** Whether the texts come from `site.config.ts` and can only be read. */
  isLocked: boolean;
  /** The path of the field that the preview outlines. */
  selected: string | undefined;
  /** The owner works on the field at a path. */
  select: (path: string) => void;
  /** Opens the section of a field and moves the focus to it. */
  open: (path: string) => void;
  /** Makes a call; where the session has ended, it asks to sign in and repeats the call. */
  signedIn: <Result>(call: () => Promise<Result>) => Promise<Result>;
  /** Tells screen readers what happened. */
  announce: (sentence: string) => void;
}

export const EditorContext = createContext<Editor | undefined>(undefined);

export function useEditor(): Editor {
  const editor = useContext(EditorContext);
  if (!editor) throw new Error('This component is used outside of the editor.');
  return editor;
}

/** The id of a field's control in the form. */
export const controlId = (path: string) => `field-${path}`;
