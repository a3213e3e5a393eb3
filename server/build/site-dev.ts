import type { Plugin } from 'vite';
export function siteDev(): Plugin {
  return { name: 'site-dev' };
}
