/** Reads the admin's session and the known-device token from cookies, for both adapters. */
import cookieSession from 'cookie-session';
import type { Request, RequestHandler, Response } from 'express';
import type { Session } from '../app/context.ts';
import { deviceLifetimeMs, type KnownDevices } from '../auth/known-devices.ts';
import type { Sessions } from '../auth/sessions.ts';
import { absoluteLimit } from '../auth/store.ts';
import { bearerOf } from './request/request-info.ts';

export interface SessionOptions {
  sessions: Sessions;
  devices: KnownDevices;
  /** Keys of the cookie signature: the first signs, all verify (key rotation). */
  keys: string[];
  /** Whether cookies get the `Secure` attribute, because the site is served over https. */
  secure: boolean;
}

const sessionName = (secure: boolean) => (secure ? '__Host-session' : 'session');

/** Creates the middleware of the signed cookie, which it reads on demand. */
export const createSessionCookie = ({ keys, secure }: SessionOptions): RequestHandler =>
  cookieSession({
    name: sessionName(secure),
    keys,
    secure,
    httpOnly: true,
    sameSite: 'lax',
    maxAge: absoluteLimit,
    path: '/',
  });

/** Creates the session reader, for requests behind `createSessionCookie`. */
export function createSessionReader({ sessions, devices, secure }: SessionOptions) {
  const deviceName = secure ? '__Host-device' : 'device';
  const deviceCookie = new RegExp(`(?:^|;)\\s*${deviceName}=([^;]*)`);
  const deviceAttributes = `Path=/; Max-Age=${deviceLifetimeMs / 1000}; HttpOnly; SameSite=Strict${secure ? '; Secure' : ''}`;

  return function readSession(req: Request, res: Response): Session {
    // A request with a key uses only the key.
    const hasKey = bearerOf(req.headers.authorization) !== undefined;
    const cookies = hasKey ? '' : (req.headers.cookie ?? '');
    const currentId = (): string | undefined => {
      const id: unknown = hasKey ? undefined : req.session?.id;
      return typeof id === 'string' ? id : undefined;
    };
    const setKnownDevice = async (passwordHash: string) => {
      const token = await devices.issue(passwordHash);
      res.appendHeader('Set-Cookie', `${deviceName}=${token}; ${deviceAttributes}`);
    };
    let found: ReturnType<Sessions['find']> | undefined;
    const current = () => {
      const id = currentId();
      found ??= id ? sessions.find(id) : Promise.resolve(undefined);
      return found;
    };

    return {
      isAdmin: async () => (await current()) !== undefined,
      isConfirmed: async () => (await current())?.isConfirmed ?? false,
      async device() {
        const token = deviceCookie.exec(cookies)?.[1];
        return token === undefined ? undefined : devices.idOf(token);
      },
      async signIn(proof, client) {
        const started = await sessions.start(proof, { client, replaces: currentId() });
        if (started === undefined) return false;
        req.session = { id: started.id };
        await setKnownDevice(started.passwordHash);
        found = Promise.resolve({ isConfirmed: true });
        return true;
      },
      async confirm(act) {
        const isConfirmed = await sessions.confirm(currentId() ?? '', act);
        found = undefined;
        return isConfirmed;
      },
      async signOut() {
        const id = currentId();
        if (id) await sessions.end(id);
        if (cookies.includes(sessionName(secure))) req.session = null;
        found = Promise.resolve(undefined);
      },
      all: () => sessions.list(currentId() ?? ''),
      end: (idHash) => sessions.endByHash(idHash),
      async endOthers() {
        await setKnownDevice(await sessions.endOthers(currentId() ?? ''));
      },
    };
  };
}
