import type { TRPCLink } from '@trpc/client';
import { observable } from '@trpc/server/observable';
import type { AppRouter } from '../../server/contract/api.ts';
import { errorResponseOf } from '../api/trpc.ts';

/** Asks the owner for the password; resolves with whether it was right. `act` begins the sentence that says why. */
export type AskPassword = (act: string) => Promise<boolean>;

const acts: Record<string, string> = {
  'connections.clear': 'Disconnecting this',
  'connections.set': 'Changing a connection',
  'keys.create': 'Creating an API key',
  'people.export': 'Downloading a person’s data',
  'people.erase': 'Erasing a person',
  'site.publish': 'Publishing this change',
  'site.restore': 'Publishing this change',
};

/** A tRPC link that repeats a call with the same input once the owner has typed the password that it asks for. */
export const confirmLink =
  (ask: AskPassword): TRPCLink<AppRouter> =>
  () =>
  ({ op, next }) =>
    observable((observer) => {
      const send = () => next(op).subscribe({ ...observer, error: onError });
      const onError: typeof observer.error = (error) => {
        if (errorResponseOf(error)?.code !== 'CONFIRM_PASSWORD') return observer.error(error);
        void ask(acts[op.path] ?? 'This').then((isConfirmed) =>
          isConfirmed ? send() : observer.error(error),
        );
      };
      send();
    });
