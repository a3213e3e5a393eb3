import { afterLoad } from '../boot/after-load.ts';

/**
 * Adds the marketing provider's opt-in script to the head once the page has loaded, and removes it
 * on `pagehide`. A page restored from the back/forward cache gets it again.
 */
export function addOptInScript(): void {
  const element = document.querySelector<HTMLTemplateElement>('#opt-in')?.content.firstChild;
  if (!element) return;
  const script = document.importNode(element as HTMLScriptElement);
  script.async = true;
  const add = () => document.head.append(script);
  afterLoad(add);
  addEventListener('pagehide', () => script.remove());
  addEventListener('pageshow', ({ persisted }) => persisted && add());
}
