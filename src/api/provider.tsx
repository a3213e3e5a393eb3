import { QueryClientProvider } from '@tanstack/react-query';
import { type ReactNode, useState } from 'react';
import { createQueryClient } from './query-client.ts';
import { createClient, trpc } from './trpc.ts';

/** Provides the `trpc` hooks and a query client to its children. */
export function ApiProvider({ children }: { children: ReactNode }) {
  const [client] = useState(createClient);
  const [queryClient] = useState(createQueryClient);
  return (
    <trpc.Provider client={client} queryClient={queryClient}>
      <QueryClientProvider client={queryClient}>{children}</QueryClientProvider>
    </trpc.Provider>
  );
}
