import { QueryClientProvider } from '@tanstack/react-query';
import type { TRPCLink } from '@trpc/client';
import { type ReactNode, useState } from 'react';
import type { AppRouter } from '../../server/contract/api.ts';
import { createQueryClient } from './query-client.ts';
import { createClient, trpc } from './trpc.ts';

/** Provides the `trpc` hooks and a query client to its children. Each call passes the first `links`. */
export function ApiProvider({
  links,
  children,
}: {
  links?: TRPCLink<AppRouter>[];
  children: ReactNode;
}) {
  const [client] = useState(() => createClient(links));
  const [queryClient] = useState(createQueryClient);
  return (
    <trpc.Provider client={client} queryClient={queryClient}>
      <QueryClientProvider client={queryClient}>{children}</QueryClientProvider>
    </trpc.Provider>
  );
}
