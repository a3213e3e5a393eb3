import { createTRPCClient, TRPCClientError } from '@trpc/client';
import { beforeEach, describe, expect, it, type MockInstance, vi } from 'vitest';
import type { AppRouter } from '../../server/contract/api.ts';
import { restLink } from './rest-link.ts';
import { errorResponseOf } from './trpc.ts';

const newClient = () => createTRPCClient<AppRouter>({ links: [restLink()] });

let client: ReturnType<typeof newClient>;
let fetched: MockInstance<typeof fetch>;
beforeEach(() => {
  client = newClient();
  fetched = vi.spyOn(globalThis, 'fetch').mockImplementation(async () => Response.json({}));
});

/** The requests sent, without their signals. */
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

describe('REST calls of the specification', () => {
  it('contact.submit sends POST /api/contact', async () => {
    const message = { name: 'Ada', email: 'a@b.c', company: '', message: 'Hi' };
    await client.contact.submit.mutate(message);
    expect(calls()).toEqual([['/api/contact', json(message)]]);
  });

  it('mutation adds the headers of its context, read when it is sent', async () => {
    let key = 'first';
    const context = { headers: () => ({ 'Idempotency-Key': key }) };
    key = 'second';
    await client.auth.login.mutate({ password: 'secret' }, { context });
    expect(fetched.mock.calls[0]?.[1]?.headers).toEqual({
      'Content-Type': 'application/json',
      'Idempotency-Key': 'second',
    });
  });

  it('auth.login sends POST /api/admin/login', async () => {
    await client.auth.login.mutate({ password: 'secret' });
    expect(calls()).toEqual([['/api/admin/login', json({ password: 'secret' })]]);
  });

  it('auth.logout sends POST /api/admin/logout without a body', async () => {
    await client.auth.logout.mutate();
    expect(calls()).toEqual([['/api/admin/logout', { credentials: 'include', method: 'POST' }]]);
  });

  it('analytics.dashboard sends GET /api/analytics/dashboard with startDate in the query', async () => {
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

  it('analytics.dashboard omits an undefined startDate', async () => {
    await client.analytics.dashboard.query();
    await client.analytics.dashboard.query({ startDate: undefined });
    const [first, second] = calls();
    expect(first?.[0]).toBe('/api/analytics/dashboard');
    expect(second?.[0]).toBe('/api/analytics/dashboard');
  });
});

it('query that starts during the logout, or after it without a login, is not sent and fails', async () => {
  let respond = (_: Response) => {};
  fetched.mockReturnValueOnce(
    new Promise((resolve) => {
      respond = resolve;
    }),
  );
  const logout = client.auth.logout.mutate();
  const query = client.analytics.dashboard.query();
  respond(Response.json({ success: true }));
  await expect(query).rejects.toThrow('The session has ended.');
  await logout;
  await expect(client.analytics.dashboard.query()).rejects.toThrow('The session has ended.');
  expect(calls().map(([address]) => address)).toEqual(['/api/admin/logout']);
  await client.auth.login.mutate({ password: 'x' });
  await client.analytics.dashboard.query();
  expect(calls()).toHaveLength(3);
});

it('query after a failed logout is sent', async () => {
  fetched.mockRejectedValueOnce(new TypeError('Failed to fetch'));
  await expect(client.auth.logout.mutate()).rejects.toThrow('Failed to fetch');
  await client.analytics.dashboard.query();
  expect(calls()).toHaveLength(2);
});

describe('REST responses', () => {
  it('mutation returns its result where its route says so', async () => {
    const result = { added: 1, changed: 0, known: 0, rejected: [], next: null };
    fetched.mockResolvedValue(Response.json(result));
    expect(await client.analytics.importSales.mutate({ text: 'id' })).toEqual(result);
  });

  it('mutation succeeds by its status alone', async () => {
    fetched.mockResolvedValue(new Response('<not json>', { status: 200 }));
    await expect(client.auth.logout.mutate()).resolves.toEqual({ ok: true });
  });

  it('error of a rejected call contains the error response', async () => {
    fetched.mockResolvedValue(new Response('{"error":"Invalid password"}', { status: 401 }));
    const error = await client.auth.login.mutate({ password: 'x' }).catch((e: unknown) => e);
    expect(error).toBeInstanceOf(TRPCClientError);
    expect(error).toMatchObject({ message: '401: {"error":"Invalid password"}' });
    expect(errorResponseOf(error)).toMatchObject({ status: 401, sentence: 'Invalid password' });
  });

  it('error of a network failure contains no response', async () => {
    fetched.mockRejectedValue(new TypeError('Failed to fetch'));
    const error = await client.auth.login.mutate({ password: 'x' }).catch((e: unknown) => e);
    expect(error).toMatchObject({ message: 'Failed to fetch' });
    expect(errorResponseOf(error)).toBeUndefined();
  });

  it('query fails when the response is not JSON', async () => {
    fetched.mockResolvedValue(new Response('<html>', { status: 200 }));
    await expect(client.analytics.dashboard.query()).rejects.toThrow(TRPCClientError);
  });
});

describe('timeout of a call', () => {
  /** A request without a response that ends when it is aborted. */
  const hang = (_: unknown, init?: RequestInit) =>
    new Promise<Response>((_resolve, reject) => {
      init?.signal?.addEventListener('abort', () => reject(init.signal?.reason));
    });

  it('call fails after 15 s', async () => {
    const timer = new AbortController();
    const timeout = vi.spyOn(AbortSignal, 'timeout').mockReturnValue(timer.signal);
    fetched.mockImplementation(hang);
    const call = client.auth.logout.mutate().catch((error: unknown) => error);
    expect(timeout).toHaveBeenCalledWith(15_000);
    timer.abort();
    const error = await call;
    expect(error).toBeInstanceOf(TRPCClientError);
    expect(errorResponseOf(error)).toBeUndefined();
  });

  it('call can be aborted by its caller', async () => {
    fetched.mockImplementation(hang);
    const caller = new AbortController();
    const call = client.analytics.dashboard.query(undefined, { signal: caller.signal });
    caller.abort();
    await expect(call).rejects.toThrow(TRPCClientError);
  });
});
