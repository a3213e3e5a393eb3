import {
  createContext,
  type MouseEvent,
  type ReactElement,
  type ReactNode,
  useContext,
  useRef,
  useState,
} from 'react';
import { fetchOk, HttpError } from '../api/http.ts';
import { ApiProvider } from '../api/provider.tsx';
import { type AskPassword, confirmLink } from './confirm-link.ts';

const AskContext = createContext<AskPassword>(async () => false);

/** The API for the owner's screens: where a call asks for the password, a dialog does, and the call is repeated. */
export function OwnerApi({ children }: { children: ReactNode }) {
  const [dialog, setDialog] = useState<ReactElement>();
  const [ask] = useState(() => createAsk(setDialog));
  const [links] = useState(() => [confirmLink(ask)]);
  return (
    <ApiProvider links={links}>
      <AskContext value={ask}>{children}</AskContext>
      {dialog}
    </ApiProvider>
  );
}

/** Calls that ask at the same time share one question. `show` receives the dialog while it is open. */
function createAsk(show: (dialog: ReactElement | undefined) => void): AskPassword {
  let asked: Promise<boolean> | undefined;
  const open = async (act: string) => {
    try {
      const { PasswordDialog } = await import('./password-dialog.tsx');
      return await new Promise<boolean>((resolve) =>
        show(
          <PasswordDialog
            title="Is it you?"
            text={`${act} asks for your password again.`}
            submit="Go on"
            act="confirm"
            onAnswer={resolve}
          />,
        ),
      );
    } catch {
      // Its code could not be loaded: the call fails with its own error.
      return false;
    } finally {
      asked = undefined;
      show(undefined);
    }
  };
  return (act) => {
    asked ??= open(act);
    return asked;
  };
}

/**
 * Returns the `onClick` of links to files of the owner: where the server asks for the password, a dialog does, and the
 * browser follows the link then.
 */
export function useDownload(onStart?: () => void): (event: MouseEvent<HTMLAnchorElement>) => void {
  const ask = useContext(AskContext);
  const isAllowed = useRef(false);
  const follow = async (link: HTMLAnchorElement) => {
    if ((await isRefused(link.href)) && !(await ask('This download'))) return;
    isAllowed.current = true;
    link.click();
    isAllowed.current = false;
  };
  return (event) => {
    if (isAllowed.current) return onStart?.();
    // Those open a tab, or save the file elsewhere.
    if (event.ctrlKey || event.metaKey || event.shiftKey || event.altKey) return;
    event.preventDefault();
    void follow(event.currentTarget);
  };
}

/** Whether the server refuses a file to the signed-in owner, which it does only to ask for the password. */
const isRefused = (address: string): Promise<boolean> =>
  fetchOk(address, { method: 'HEAD' }).then(
    () => false,
    // The browser itself reports anything else when it follows the link.
    (error: unknown) => error instanceof HttpError && error.status === 403,
  );
