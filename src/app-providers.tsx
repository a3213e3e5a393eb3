import { ChakraProvider } from '@chakra-ui/react';
import createCache, { type EmotionCache } from '@emotion/cache';
import { CacheProvider } from '@emotion/react';
import type { ReactNode } from 'react';
import { system } from './theme/theme.ts';

/** An Emotion cache without vendor prefixes, so that prerendered class names match the browser's. */
export function styleCache(): EmotionCache {
  const cache = createCache({ key: 'css', stylisPlugins: [] });
  cache.compat = true;
  return cache;
}

/** The style cache and theme that every React tree needs, in the browser and at build time. */
export function AppProviders({
  cache,
  value = system,
  children,
}: {
  cache: EmotionCache;
  value?: typeof system;
  children: ReactNode;
}) {
  return (
    <CacheProvider value={cache}>
      <ChakraProvider value={value}>{children}</ChakraProvider>
    </CacheProvider>
  );
}
