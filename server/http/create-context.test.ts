import { expect, it } from 'vitest';
import type { Services, Session } from '../app/context.ts';
import { createLog } from '../log.ts';
import { throughExpress } from '../testing/express.ts';
import { createContextFactory } from './create-context.ts';

it('tRPC context keeps its services when it is copied', () => {
  const services = { now: () => 42, conversionKey: 'key' } as unknown as Services;
  const session = {} as Session;
  const createContext = createContextFactory({
    services,
    readSession: () => session,
    trustsProxies: false,
    publicOrigin: undefined,
    https: false,
    proxyMonitor: { record: () => {} },
    log: createLog('silent', { pretty: false }),
  });
  const context = throughExpress({}, createContext);
  expect(Object.getPrototypeOf(context)).toBe(Object.prototype);
  expect({ ...context }).toMatchObject({ ...services, session });
});
