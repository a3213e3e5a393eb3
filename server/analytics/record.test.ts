/** Events that cannot be stored are counted as excluded, and the request fails. */
import { callTRPCProcedure } from '@trpc/server';
import { expect, it, vi } from 'vitest';
import type { Context } from '../app/context.ts';
import { databaseUnavailable } from '../errors.ts';
import { browser } from '../testing/site.ts';
import { record } from './record.ts';
import { analyticsRouter } from './router.ts';

const sighting = {
  activity: 'page_view',
  button: null,
  source: null,
  isAutomated: false,
  wantsPrivacy: false,
} as const;

function contextThatFails(error: Error) {
  const exclude = vi.fn();
  const context = {
    request: { addressBlock: '192.0.2.1', host: 'localhost', userAgent: browser },
    session: { isAdmin: async () => false },
    countVisitor: () => Promise.reject(error),
    now: () => 0,
    exclude,
  } as unknown as Context;
  return { context, exclude };
}

it.each([
  ['an unavailable database', databaseUnavailable(new Error('timeout'))],
  ['a full disk', Object.assign(new Error('full'), { code: 'SQLITE_FULL' })],
])('an event is excluded as an outage with %s', async (_, error) => {
  const { context, exclude } = contextThatFails(error);
  await expect(record(context, sighting)).rejects.toBe(error);
  expect(exclude.mock.calls).toEqual([['outage']]);
});

it('an event is excluded as an outage when the shared rate limit is unavailable', async () => {
  const error = databaseUnavailable(new Error('timeout'));
  const { context, exclude } = contextThatFails(error);
  const counting = { ...context, limiter: { consume: () => Promise.reject(error) } };
  const call = callTRPCProcedure({
    router: analyticsRouter,
    path: 'record',
    type: 'mutation',
    batchIndex: 0,
    getRawInput: async () => ({ type: 'page_view' }),
    signal: undefined,
    ctx: counting,
  });
  await expect(call).rejects.toMatchObject({ cause: error });
  expect(exclude.mock.calls).toEqual([['outage']]);
});

it('an unexpected error is not counted as an outage', async () => {
  const { context, exclude } = contextThatFails(new Error('no'));
  await expect(record(context, sighting)).rejects.toThrow('no');
  expect(exclude).not.toHaveBeenCalled();
});
