import { afterLoad } from '../boot/after-load.ts';

/**
 * Adds the marketing provider's opt-in script to the head once the page has loaded, and takes it out
 * when the visitor leaves; a page that comes back as it was left gets it again.
 */
export function addOptInScript(): void {
  const address = document.documentElement.dataset.optInScript;
  if (!address) return;
  const script = document.createElement('script');
  script.src = address;
  script.async = true;
  const add = () => document.head.append(script);
  afterLoad(add);
  addEventListener('pagehide', () => script.remove());
  addEventListener('pageshow', ({ persisted }) => persisted && add());
}
