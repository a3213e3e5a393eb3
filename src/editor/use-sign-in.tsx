/** Signs in over the form: what is typed stays, and the call that was refused is repeated. */
import { type ReactElement, useEffect, useRef, useState } from 'react';
import { PasswordDialog } from '../admin/password-dialog.tsx';
import { isSignedOut } from '../admin/session.ts';

/** `onSignedIn` is called after each sign-in. */
export function useSignIn(onSignedIn: () => void) {
  const [dialog, setDialog] = useState<ReactElement>();
  const asked = useRef<Promise<boolean>>(undefined);
  const giveUp = useRef(() => {});
  // The login screen that replaces the editor leaves no dialog to answer.
  useEffect(() => () => giveUp.current(), []);
  /** Resolves with whether the owner signed in. Calls that ask at the same time share one dialog. */
  const askSignIn = (): Promise<boolean> => {
    asked.current ??= new Promise<boolean>((resolve) => {
      giveUp.current = () => resolve(false);
      setDialog(
        <PasswordDialog
          title="Sign in to save"
          text="Your words are kept in this browser."
          submit="Sign in and save"
          act="login"
          onAnswer={(isIn) => {
            asked.current = undefined;
            setDialog(undefined);
            if (isIn) onSignedIn();
            resolve(isIn);
          }}
        />,
      );
    });
    return asked.current;
  };
  async function signedIn<Result>(call: () => Promise<Result>): Promise<Result> {
    try {
      return await call();
    } catch (error) {
      if (!isSignedOut(error) || !(await askSignIn())) throw error;
      return call();
    }
  }
  return { dialog, askSignIn, signedIn };
}
