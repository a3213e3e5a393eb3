import { useCallback, useEffect, useRef } from 'react';
import { useNavigate } from 'react-router-dom';
import { logoutUnconfirmed } from '../api/logout.ts';
import { errorResponseOf } from '../api/trpc.ts';

/** True when the session has ended: after any 401, also one of a proxy that sends no error code. */
export const isSignedOut = (error: unknown): boolean => errorResponseOf(error)?.status === 401;

/** Returns a function that replaces the screen by the login screen, whose `state` is by default where to return to. */
function useLeave(): (state?: string) => void {
  const navigate = useNavigate();
  return useCallback(
    (state?: string) => {
      const { pathname, search, hash } = location;
      // Several calls of a screen fail together: only the first one sees the address to return to.
      if (state === undefined && pathname === '/admin') return;
      void navigate('/admin', { replace: true, state: state ?? pathname + search + hash });
    },
    [navigate],
  );
}

/** Navigates to /admin when one of the errors says that the session has ended. */
export function useLeaveWhenSignedOut(...errors: unknown[]): void {
  const leave = useLeave();
  const leaves = errors.some(isSignedOut);
  useEffect(() => {
    if (leaves) leave();
  }, [leaves, leave]);
}

/** Returns a function that navigates to /admin after a Logout, in this tab and in the others that show a screen. */
export function useLeaveInAllTabs(): (error: unknown) => void {
  const leave = useLeave();
  const tabs = useRef<BroadcastChannel>(undefined);
  useEffect(() => {
    const channel = new BroadcastChannel('logout');
    channel.onmessage = () => leave();
    tabs.current = channel;
    return () => channel.close();
  }, [leave]);
  return (error) => {
    tabs.current?.postMessage('');
    leave(error ? logoutUnconfirmed : '');
  };
}
