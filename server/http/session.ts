/** Reads the admin's session and the known-device token from cookies, for both adapters. */
import type { IncomingMessage, ServerResponse } from 'node:http';
import cookieSession from 'cookie-session';
import { deviceLifetimeMs, type KnownDevices } from '../auth/known-devices.ts';
import type { Sessions } from '../auth/sessions.ts';
import { absoluteLimit } from '../auth/store.ts';
import type { Session } from '../trpc/context.ts';
import { bearerOf } from './request/request-info.ts';

export interface SessionOptions {
  sessions: Sessions;
  devices: KnownDevices;
  /** Keys of the cookie signature: the first signs, all verify (key rotation). */
  keys: string[];
  /** Whether cookies get the `Secure` attribute, because the site is served over https. */
  secure: boolean;
}

type WithCookie = IncomingMessage & { session?: { id?: unknown } | null };

/** Creates the session reader. It parses cookies lazily, so requests without one cost nothing. */
export function createSessionReader({ sessions, devices, keys, secure }: SessionOptions) {
  const name = secure ? '__Host-session' : 'session';
  const deviceName = secure ? '__Host-device' : 'device';
  const deviceCookie = new RegExp(`(?:^|;)\\s*${deviceName}=([^;]*)`);
  const deviceAttributes = `Path=/; Max-Age=${deviceLifetimeMs / 1000}; HttpOnly; SameSite=Strict${secure ? '; Secure' : ''}`;
  const attachCookie = cookieSession({
    name,
    keys,
    secure,
    httpOnly: true,
    sameSite: 'lax',
    maxAge: absoluteLimit,
    path: '/',
  });

  return function readSession(req: IncomingMessage, res: ServerResponse): Session {
    // A request with a key uses only the key.
    const hasKey = bearerOf(req.headers.authorization) !== undefined;
    const cookies = hasKey ? '' : (req.headers.cookie ?? '');
    const cookie = (): WithCookie => {
      if (!('session' in req)) {
        // PUBLIC_URL is https, so the proxy terminates TLS: cookie-session must not take this for plain http.
        if (secure) Object.defineProperty(req, 'protocol', { value: 'https' });
        attachCookie(req as Parameters<typeof attachCookie>[0], res as never, () => {});
      }
      return req as WithCookie;
    };
    const currentId = (): string | undefined => {
      if (!cookies.includes(name)) return undefined;
      const id = cookie().session?.id;
      return typeof id === 'string' ? id : undefined;
    };
    const setKnownDevice = async (passwordHash: string) => {
      const token = await devices.issue(passwordHash);
      res.appendHeader('Set-Cookie', `${deviceName}=${token}; ${deviceAttributes}`);
    };
    let admin: Promise<boolean> | undefined;

    return {
      isAdmin() {
        const id = currentId();
        admin ??= id ? sessions.isAlive(id) : Promise.resolve(false);
        return admin;
      },
      async device() {
        const token = deviceCookie.exec(cookies)?.[1];
        return token === undefined ? undefined : devices.idOf(token);
      },
      async signIn(proof, client) {
        const started = await sessions.start(proof, { client, replaces: currentId() });
        if (started === undefined) return false;
        cookie().session = { id: started.id };
        await setKnownDevice(started.passwordHash);
        admin = Promise.resolve(true);
        return true;
      },
      async signOut() {
        const id = currentId();
        if (id) await sessions.end(id);
        if (cookies.includes(name)) cookie().session = null;
        admin = Promise.resolve(false);
      },
      all: () => sessions.list(currentId() ?? ''),
      end: (idHash) => sessions.endByHash(idHash),
      async endOthers() {
        await setKnownDevice(await sessions.endOthers(currentId() ?? ''));
      },
    };
  };
}
