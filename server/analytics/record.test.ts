/** What visitors did and could not be kept is counted as left out, and whoever told it hears that. */
import { expect, it, vi } from 'vitest';
import { DatabaseUnavailable } from '../database/database.ts';
import { browser } from '../testing/site.ts';
import type { Context } from '../trpc/context.ts';
import { record } from './record.ts';
import { hotRecord } from './router.ts';

const sighting = {
  activity: 'page_view',
  control: null,
  source: null,
  isAutomated: false,
  wantsPrivacy: false,
} as const;

function contextThatFails(error: Error) {
  const exclude = vi.fn();
  const context = {
    request: { addressBlock: '192.0.2.1', host: 'localhost', userAgent: browser },
    session: { isAdmin: async () => false },
    salts: async () => '00',
    countVisitor: () => Promise.reject(error),
    now: () => 0,
    exclude,
  } as unknown as Context;
  return { context, exclude };
}

it.each([
  ['a database that is away', new DatabaseUnavailable(new Error('timeout'))],
  ['a disk that is full', Object.assign(new Error('full'), { code: 'SQLITE_FULL' })],
])('is counted with %s', async (_, error) => {
  const { context, exclude } = contextThatFails(error);
  await expect(record(context, sighting)).rejects.toBe(error);
  expect(exclude.mock.calls).toEqual([['outage']]);
});

it('is counted by the gate, too, when instances cannot count together', async () => {
  const error = new DatabaseUnavailable(new Error('timeout'));
  const { context, exclude } = contextThatFails(error);
  const counting = { ...context, limiter: { consume: () => Promise.reject(error) } };
  const call = hotRecord.direct({ type: 'page_view' }, counting as unknown as Context);
  await expect(call).rejects.toBe(error);
  expect(exclude.mock.calls).toEqual([['outage']]);
});

it('is not counted so when the mistake is ours', async () => {
  const { context, exclude } = contextThatFails(new Error('no'));
  await expect(record(context, sighting)).rejects.toThrow('no');
  expect(exclude).not.toHaveBeenCalled();
});
