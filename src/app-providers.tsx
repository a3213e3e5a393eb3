import { ChakraProvider } from '@chakra-ui/react';
import createCache, { type EmotionCache } from '@emotion/cache';
import { CacheProvider } from '@emotion/react';
import type { ReactNode } from 'react';
import { system } from './theme/theme.ts';

/** A style cache alike on both sides: no vendor prefixes, so that prerendered class names match. */
export function styleCache(): EmotionCache {
  const cache = createCache({ key: 'css', stylisPlugins: [] });
  cache.compat = true;
  return cache;
}

/** What every tree of ours stands in, in the browser and at build: styles and the theme. */
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
