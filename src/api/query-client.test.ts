import { QueryObserver } from '@tanstack/react-query';
import { describe, expect, it, vi } from 'vitest';
import { createQueryClient, getByKey } from './query-client.ts';

const answer = (response: Response) => vi.spyOn(globalThis, 'fetch').mockResolvedValue(response);

describe('the query client', () => {
  it('query client never refetches, polls or retries by default', () => {
    const { queries, mutations } = createQueryClient().getDefaultOptions();
    expect(queries).toMatchObject({
      staleTime: Number.POSITIVE_INFINITY,
      refetchOnWindowFocus: false,
      refetchInterval: false,
      retry: false,
    });
    expect(mutations).toEqual({ retry: false, networkMode: 'always' });
  });

  it('query client keeps no data when no screen shows them, so that Logout leaves none', async () => {
    answer(Response.json({ a: 1 }));
    const client = createQueryClient();
    const queryKey = ['/api/thing'];
    const close = new QueryObserver(client, { queryKey }).subscribe(() => {});
    await vi.waitFor(() => expect(client.getQueryData(queryKey)).toEqual({ a: 1 }));
    close();
    await vi.waitFor(() => expect(client.getQueryData(queryKey)).toBeUndefined());
  });

  it('query client fetches the path in the first element of the key with cookies', async () => {
    const fetched = answer(Response.json({ a: 1 }));
    const data = await createQueryClient().fetchQuery({ queryKey: ['/api/thing', 7] });
    expect(data).toEqual({ a: 1 });
    const [address, init] = fetched.mock.calls[0] ?? [];
    expect(address).toBe('/api/thing');
    expect(init).toMatchObject({ credentials: 'include' });
    expect(init?.method ?? 'GET').toBe('GET');
  });

  it('query client does not retry after a failure', async () => {
    const fetched = answer(new Response('', { status: 500, statusText: 'Broken' }));
    const query = createQueryClient().fetchQuery({ queryKey: ['/api/thing'] });
    await expect(query).rejects.toThrow('500: Broken');
    expect(fetched).toHaveBeenCalledTimes(1);
  });

  it('query client throws on 401 by default', async () => {
    answer(new Response('{"error":"Unauthorized"}', { status: 401 }));
    const query = createQueryClient().fetchQuery({ queryKey: ['/api/thing'] });
    await expect(query).rejects.toThrow('401: {"error":"Unauthorized"}');
  });

  it('getByKey returns null on 401 with on401: null', async () => {
    const queryFn = getByKey({ on401: 'null' });
    const fetchWith = (status: number) => {
      answer(new Response('', { status, statusText: 'No' }));
      return createQueryClient().fetchQuery({ queryKey: ['/api/thing'], queryFn });
    };
    expect(await fetchWith(401)).toBeNull();
    await expect(fetchWith(403)).rejects.toThrow('403: No');
  });
});
