import { afterLoad } from '../boot/after-load.ts';

/**
 * Adds the marketing provider's opt-in script to the head once the page has loaded, and removes it
 * on `pagehide`. A page restored from the back/forward cache gets it again.
 */
export function addOptInScript(): void {
  const url = document.documentElement.dataset.optInScript;
  if (!url) return;
  const script = document.createElement('script');
  script.src = url;
  script.async = true;
  const add = () => document.head.append(script);
  afterLoad(add);
  addEventListener('pagehide', () => script.remove());
  addEventListener('pageshow', ({ persisted }) => persisted && add());
}
