import { describe, expect, it, vi } from 'vitest';
import { createQueryClient, getByKey } from './query-client.ts';

const answer = (response: Response) => vi.spyOn(globalThis, 'fetch').mockResolvedValue(response);

describe('the query client', () => {
  it('has the product’s defaults', () => {
    const { queries, mutations } = createQueryClient().getDefaultOptions();
    expect(queries).toMatchObject({
      staleTime: Number.POSITIVE_INFINITY,
      refetchOnWindowFocus: false,
      refetchInterval: false,
      retry: false,
    });
    expect(mutations).toEqual({ retry: false, networkMode: 'always' });
  });

  it('fetches, by default, the path that is the key’s first element, with cookies', async () => {
    const fetched = answer(Response.json({ a: 1 }));
    const data = await createQueryClient().fetchQuery({ queryKey: ['/api/thing', 7] });
    expect(data).toEqual({ a: 1 });
    const [address, init] = fetched.mock.calls[0] ?? [];
    expect(address).toBe('/api/thing');
    expect(init).toMatchObject({ credentials: 'include' });
    expect(init?.method ?? 'GET').toBe('GET');
  });

  it('does not ask again after a failure', async () => {
    const fetched = answer(new Response('', { status: 500, statusText: 'Broken' }));
    const query = createQueryClient().fetchQuery({ queryKey: ['/api/thing'] });
    await expect(query).rejects.toThrow('500: Broken');
    expect(fetched).toHaveBeenCalledTimes(1);
  });

  it('throws on 401 by default', async () => {
    answer(new Response('{"error":"Unauthorized"}', { status: 401 }));
    const query = createQueryClient().fetchQuery({ queryKey: ['/api/thing'] });
    await expect(query).rejects.toThrow('401: {"error":"Unauthorized"}');
  });

  it('gives null on 401, and only then, where that is asked for', async () => {
    const queryFn = getByKey({ on401: 'null' });
    const fetchWith = (status: number) => {
      answer(new Response('', { status, statusText: 'No' }));
      return createQueryClient().fetchQuery({ queryKey: ['/api/thing'], queryFn });
    };
    expect(await fetchWith(401)).toBeNull();
    await expect(fetchWith(403)).rejects.toThrow('403: No');
  });
});
