/** The query client's defaults: cached data never goes stale, and nothing refetches or retries by itself. */
import { QueryClient, type QueryFunction } from '@tanstack/react-query';
import { fetchOk, HttpError } from './http.ts';

/**
 * The default fetch: a GET to the path that is the first element of the query's key, with cookies.
 * On 401 it throws, or returns null with `on401: 'null'`.
 */
export function getByKey<T>({ on401 }: { on401: 'throw' | 'null' }): QueryFunction<T | null> {
  return async ({ queryKey, signal }) => {
    try {
      const response = await fetchOk(String(queryKey[0]), { signal });
      return (await response.json()) as T;
    } catch (error) {
      if (on401 === 'null' && error instanceof HttpError && error.status === 401) return null;
      throw error;
    }
  };
}

/** Offline calls fail at once instead of waiting for the network. */
const networkMode = 'always';

/** Never stale, no refetch on focus, no polling, no retries, unless a query asks for it. */
export function createQueryClient(): QueryClient {
  return new QueryClient({
    defaultOptions: {
      queries: {
        queryFn: getByKey({ on401: 'throw' }),
        staleTime: Number.POSITIVE_INFINITY,
        // A screen shows no data of an earlier visit or session, and leaves none in memory.
        gcTime: 0,
        refetchOnWindowFocus: false,
        refetchInterval: false,
        retry: false,
        networkMode,
      },
      mutations: { retry: false, networkMode },
    },
  });
}
