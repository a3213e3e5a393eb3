import { useCallback, useEffect, useRef } from 'react';
import { useNavigate } from 'react-router-dom';
import { errorResponseOf } from '../api/trpc.ts';

/** True when the session has ended: after any 401, also one of a proxy that sends no error code. */
export const isSignedOut = (error: unknown): boolean => errorResponseOf(error)?.status === 401;

/** Returns a function that replaces the screen by the login screen. */
function useLeave(): () => void {
  const navigate = useNavigate();
  return useCallback(() => void navigate('/admin', { replace: true }), [navigate]);
}

/** Navigates to /admin when `error` says that the session has ended. */
export function useLeaveWhenSignedOut(error: unknown): void {
  const leave = useLeave();
  const leaves = isSignedOut(error);
  useEffect(() => {
    if (leaves) leave();
  }, [leaves, leave]);
}

/** Returns a function that navigates to /admin, in this tab and in the others that show a screen. */
export function useLeaveInAllTabs(): () => void {
  const leave = useLeave();
  const tabs = useRef<BroadcastChannel>(undefined);
  useEffect(() => {
    const channel = new BroadcastChannel('logout');
    channel.onmessage = leave;
    tabs.current = channel;
    return () => channel.close();
  }, [leave]);
  return () => {
    tabs.current?.postMessage('');
    leave();
  };
}
