import { createTRPCClient, TRPCClientError } from '@trpc/client';
import { afterEach, beforeEach, describe, expect, it, type MockInstance, vi } from 'vitest';
import type { AppRouter } from '../../server/contract/api.ts';
import { restLink, timeoutMs } from './rest-link.ts';
import { errorResponseOf } from './trpc.ts';

const client = createTRPCClient<AppRouter>({ links: [restLink()] });

let fetched: MockInstance<typeof fetch>;
beforeEach(() => {
  fetched = vi.spyOn(globalThis, 'fetch').mockImplementation(async () => Response.json({}));
});
afterEach(() => vi.useRealTimers());

/** What went over the wire, without the signal that may end it. */
function calls() {
  return fetched.mock.calls.map(([address, init]) => {
    const { signal: _, ...rest } = init ?? {};
    return [address, rest];
  });
}
const json = (value: unknown) => ({
  credentials: 'include',
  method: 'POST',
  headers: { 'Content-Type': 'application/json' },
  body: JSON.stringify(value),
});

describe('the calls of the specification, on the wire', () => {
  it('POST /api/contact', async () => {
    const message = { name: 'Ada', email: 'a@b.c', company: '', message: 'Hi' };
    await client.contact.submit.mutate(message);
    expect(calls()).toEqual([['/api/contact', json(message)]]);
  });

  it('POST /api/admin/login', async () => {
    await client.auth.login.mutate({ password: 'secret' });
    expect(calls()).toEqual([['/api/admin/login', json({ password: 'secret' })]]);
  });

  it('POST /api/admin/logout, without a body', async () => {
    await client.auth.logout.mutate();
    expect(calls()).toEqual([['/api/admin/logout', { credentials: 'include', method: 'POST' }]]);
  });

  it('GET /api/analytics/dashboard, with startDate in the address', async () => {
    fetched.mockResolvedValue(Response.json({ summary: { pageViews: 3 } }));
    const startDate = '2026-01-31T00:00:00.000Z';
    const data = await client.analytics.dashboard.query({ startDate });
    expect(data).toEqual({ summary: { pageViews: 3 } });
    expect(calls()).toEqual([
      [
        '/api/analytics/dashboard?startDate=2026-01-31T00%3A00%3A00.000Z',
        { credentials: 'include', method: 'GET' },
      ],
    ]);
  });

  it('GET /api/analytics/dashboard, without what is not given', async () => {
    await client.analytics.dashboard.query();
    await client.analytics.dashboard.query({ startDate: undefined });
    const [first, second] = calls();
    expect(first?.[0]).toBe('/api/analytics/dashboard');
    expect(second?.[0]).toBe('/api/analytics/dashboard');
  });
});

describe('what comes back', () => {
  it('judges a change by its status alone', async () => {
    fetched.mockResolvedValue(new Response('<not json>', { status: 200 }));
    await expect(client.auth.logout.mutate()).resolves.toBeUndefined();
  });

  it('keeps the answer that refused a call within the error', async () => {
    fetched.mockResolvedValue(new Response('{"error":"Invalid password"}', { status: 401 }));
    const error = await client.auth.login.mutate({ password: 'x' }).catch((e: unknown) => e);
    expect(error).toBeInstanceOf(TRPCClientError);
    expect(error).toMatchObject({ message: '401: {"error":"Invalid password"}' });
    expect(errorResponseOf(error)).toMatchObject({ status: 401, sentence: 'Invalid password' });
  });

  it('tells a dead network from a refusal', async () => {
    fetched.mockRejectedValue(new TypeError('Failed to fetch'));
    const error = await client.auth.login.mutate({ password: 'x' }).catch((e: unknown) => e);
    expect(error).toMatchObject({ message: 'Failed to fetch' });
    expect(errorResponseOf(error)).toBeUndefined();
  });

  it('fails when a figure cannot be read', async () => {
    fetched.mockResolvedValue(new Response('<html>', { status: 200 }));
    await expect(client.analytics.dashboard.query()).rejects.toThrow(TRPCClientError);
  });
});

describe('a call that takes too long', () => {
  /** A server that never answers, and a browser that can stop waiting. */
  const hang = (_: unknown, init?: RequestInit) =>
    new Promise<Response>((_resolve, reject) => {
      init?.signal?.addEventListener('abort', () => reject(init.signal?.reason));
    });

  it('fails after 15 s, not before', async () => {
    vi.useFakeTimers();
    fetched.mockImplementation(hang);
    const outcome = vi.fn();
    client.auth.logout.mutate().catch(outcome);
    await vi.advanceTimersByTimeAsync(timeoutMs - 1);
    expect(outcome).not.toHaveBeenCalled();
    await vi.advanceTimersByTimeAsync(1);
    expect(outcome).toHaveBeenCalledTimes(1);
    expect(errorResponseOf(outcome.mock.calls[0]?.[0])).toBeUndefined();
  });

  it('can be ended by its caller', async () => {
    fetched.mockImplementation(hang);
    const caller = new AbortController();
    const call = client.analytics.dashboard.query(undefined, { signal: caller.signal });
    caller.abort();
    await expect(call).rejects.toThrow(TRPCClientError);
  });

  it('leaves no clock running after an answer', async () => {
    vi.useFakeTimers();
    await client.auth.logout.mutate();
    expect(vi.getTimerCount()).toBe(0);
  });
});
