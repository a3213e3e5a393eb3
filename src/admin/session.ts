import { useEffect } from 'react';
import { useNavigate } from 'react-router-dom';
import { errorResponseOf } from '../api/trpc.ts';

/** True when the session has ended: after any 401, also one of a proxy that sends no error code. */
export const isSignedOut = (error: unknown): boolean => errorResponseOf(error)?.status === 401;

/** Navigates to /admin when `error` says that the session has ended. */
export function useLeaveWhenSignedOut(error: unknown): void {
  const navigate = useNavigate();
  const leaves = isSignedOut(error);
  useEffect(() => {
    if (leaves) void navigate('/admin', { replace: true });
  }, [leaves, navigate]);
}
